#include "solve/matrix_pool.h"

#include <gtest/gtest.h>

namespace ulisse {
namespace {

TEST(MatrixPool, GivesBackMemoryToTheNextUserAndNeverToTwoAtOnce) {
  MatrixPool pool;
  const double* first = nullptr;
  {
    const auto lease = pool.take();
    (*lease).resize(10, 10);
    first = (*lease).data();
  }
  const auto again = pool.take();
  const auto other = pool.take();
  EXPECT_EQ((*again).data(), first);
  EXPECT_EQ((*other).size(), 0);
}

}  // namespace
}  // namespace ulisse
