#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "simulated_chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::autoregressive;
using testing::independent;

// n (psrf^2 - 1) is about 5/4 F - 1, with 3 degrees of freedom above; 1.016 takes F > 12 for the
// n = 500 draws of a second half, which happens once in ten million.
TEST(Psrf, IsNearOneForIndependentDraws) {
  const Psrf factor = psrf(independent(1000, 4, 1));
  EXPECT_LT(factor.estimate, 1.016);
  EXPECT_GT(factor.estimate, std::sqrt(499.0 / 500));
  EXPECT_GE(factor.upper, factor.estimate);
}

TEST(Psrf, FarApartExceedsOne) {
  Matrix draws = independent(1000, 4, 2);
  draws.col(3).array() += 2;
  EXPECT_GT(psrf(draws).estimate, 1.2);
  EXPECT_GT(psrf(draws).upper, psrf(draws).estimate);
}

TEST(Psrf, ForgetsTheFirstHalfWhenTold) {
  Matrix draws = independent(1001, 4, 3);
  const Psrf before = psrf(draws);
  draws.topRows(501).col(0).array() += 100;  // the middle of an odd number goes with the first half
  EXPECT_EQ(psrf(draws).estimate, before.estimate);
  EXPECT_EQ(psrf(draws).upper, before.upper);
  EXPECT_GT(psrf(draws, {.discard_half = false}).estimate, 1.1);
}

// The draws are multiples of 1/1024, so that adding 2^20 is exact and must change nothing. coda's
// sums lose digits of the correction for degrees of freedom: they are off by 5e-7 on such draws.
TEST(Psrf, DoesNotLoseDigitsFarFromZero) {
  Matrix draws = (autoregressive(200, 4, 0.9, 4) * 1024).array().round() / 1024;
  const Psrf near = psrf(draws);
  draws.array() += std::ldexp(1.0, 20);
  EXPECT_NEAR(psrf(draws).estimate, near.estimate, 1e-9);
  EXPECT_NEAR(psrf(draws).upper, near.upper, 1e-9);
}

TEST(Psrf, IsUnknownForASingleChainOrASingleDraw) {
  for (const Matrix& draws : {independent(100, 1, 5), independent(1, 4, 5), Matrix(0, 4)}) {
    EXPECT_TRUE(std::isnan(psrf(draws).estimate));
    EXPECT_TRUE(std::isnan(psrf(draws).upper));
  }
}

TEST(PsrfPath, IsThatOfEachBeginningAndEndsWithAllDraws) {
  const Matrix draws = autoregressive(333, 3, 0.9, 6);
  const auto path = psrf_path(draws);
  ASSERT_EQ(path.size(), 51);
  EXPECT_EQ(path.front().last, 51);
  EXPECT_EQ(path.back().last, 333);
  for (const auto& [last, factor] : path) {
    EXPECT_EQ(factor.estimate, psrf(draws.topRows(last)).estimate);
    EXPECT_EQ(factor.upper, psrf(draws.topRows(last)).upper);
  }
}

TEST(PsrfPath, TakesMoreThanFiftyDraws) {
  EXPECT_TRUE(psrf_path(independent(50, 4, 7)).empty());
  EXPECT_TRUE(psrf_path(Matrix(0, 4)).empty());
  const auto path = psrf_path(independent(51, 4, 7));
  ASSERT_EQ(path.size(), 2);
  EXPECT_EQ(path[0].last, 51);
  EXPECT_EQ(path[1].last, 51);
}

TEST(Psrf, RefusesOptionsWithoutMeaning) {
  const Matrix draws = independent(100, 4, 8);
  EXPECT_THROW(psrf(draws, {.confidence = 1}), std::invalid_argument);
  EXPECT_THROW(psrf(draws, {.confidence = 0}), std::invalid_argument);
  EXPECT_THROW(psrf_path(draws, {}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse::diagnose
