// What predictions take from a fit's folder.

#include "predict/saved_fit.h"

#include <gtest/gtest.h>

namespace ulisse {
namespace {

TEST(SpreadDraws, AreSpreadOverAllOfThem) {
  Matrix psi(10, 1);
  for (Index i = 0; i < 10; ++i) psi(i, 0) = static_cast<double>(i);
  EXPECT_EQ(spread_draws(psi, 10), psi);
  EXPECT_EQ(spread_draws(psi, 100), psi);
  EXPECT_EQ(spread_draws(psi, 1)(0, 0), 5);
  const Matrix two = spread_draws(psi, 2);
  EXPECT_EQ(two(0, 0), 2);
  EXPECT_EQ(two(1, 0), 7);
  const Matrix five = spread_draws(psi, 5);
  for (Index i = 0; i < 5; ++i) EXPECT_EQ(five(i, 0), 1 + 2 * static_cast<double>(i));
}

}  // namespace
}  // namespace ulisse
