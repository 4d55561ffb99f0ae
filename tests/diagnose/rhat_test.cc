#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "simulated_chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::autoregressive;
using testing::independent;

// n (rhat^2 - 1) + 1 is F with 7 and 3992 degrees of freedom for 8 halves of n = 500; 1.005 is
// passed once in two million, and rhat is the larger of two.
TEST(Rhat, IsNearOneForIndependentDraws) {
  const Matrix draws = independent(1000, 4, 1);
  EXPECT_LT(rhat_basic(draws), 1.005);
  EXPECT_LT(rhat(draws), 1.005);
  EXPECT_GT(rhat_basic(draws), std::sqrt(499.0 / 500));
  EXPECT_GT(rhat(draws), std::sqrt(499.0 / 500));
}

// Of the 8 halves' means two are 1.5 and six 0, to which the variance of the draws adds 1. The
// deviation of rhat is 0.011; a false alarm once in ten million.
TEST(Rhat, OfAShiftedChainIsTheSpreadOfMeansOverThatOfDraws) {
  Matrix draws = independent(1000, 4, 2);
  draws.col(2).array() += 1.5;
  const double theory = std::sqrt(1 + 1.5 * 1.5 * (2.0 - 4.0 / 8) / 7);
  EXPECT_NEAR(rhat_basic(draws), theory, 0.06);
  EXPECT_GT(rhat(draws), 1.1);
}

TEST(Rhat, SeesAChainOfAnotherScaleByItsRanksOnly) {
  Matrix draws = independent(1000, 4, 3);
  draws.col(0) *= 4;
  EXPECT_LT(rhat_basic(draws), 1.02);
  EXPECT_GT(rhat(draws), 1.1);
}

TEST(Rhat, SeesADriftThatAllChainsShare) {
  Matrix draws = independent(1000, 4, 4);
  draws.colwise() += Vector::LinSpaced(1000, 0, 4);
  EXPECT_GT(rhat_basic(draws), 1.2);
  EXPECT_GT(rhat(draws), 1.2);
}

TEST(Rhat, OfRanksBearsTailsWithoutMoments) {
  Matrix draws = independent(1000, 4, 5).array() / independent(1000, 4, 6).array();
  EXPECT_LT(rhat(draws), 1.005);  // as above
  draws.col(1).array() += 3;
  EXPECT_GT(rhat(draws), 1.1);
}

TEST(Rhat, OfRanksIsTheSameForAMonotoneMapOfLocation) {
  Matrix draws = autoregressive(300, 3, 0.8, 7);
  draws.col(1).array() += 2;  // location outweighs scale, whose folding is not monotone
  EXPECT_EQ(rhat(draws), rhat(draws.array().exp()));
}

TEST(Rhat, DoesNotDependOnTheOrderOrTheUnitOfChains) {
  const Matrix draws = autoregressive(301, 4, 0.8, 8);
  const Matrix other = -7 * draws.rowwise().reverse().array() + 100;
  EXPECT_NEAR(rhat(draws), rhat(other), 1e-12);
  EXPECT_NEAR(rhat_basic(draws), rhat_basic(other), 1e-12);
}

TEST(Rhat, OfChainsThatStandStillApartIsInfinite) {
  const Matrix draws = Vector::Ones(10) * Eigen::RowVector3d(0.1, 0.2, 0.4);
  EXPECT_EQ(rhat_basic(draws), std::numeric_limits<double>::infinity());
  EXPECT_EQ(rhat(draws), std::numeric_limits<double>::infinity());
}

// posterior 1.4.0 gives numbers for 2 or 3 draws of several chains: its halves have one row, which
// R turns into a column, so that chains are taken for draws.
TEST(Rhat, IsUnknownOfFewerThanFourDraws) {
  for (const Index n : {0, 1, 2, 3}) {
    EXPECT_TRUE(std::isnan(rhat(independent(n, 4, 9)))) << n;
    EXPECT_TRUE(std::isnan(rhat_basic(independent(n, 4, 9)))) << n;
  }
  EXPECT_FALSE(std::isnan(rhat(independent(4, 4, 9))));
  EXPECT_TRUE(std::isnan(rhat(Matrix(100, 0))));
}

}  // namespace
}  // namespace ulisse::diagnose
