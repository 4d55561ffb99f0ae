#include "diagnose/normal_scores.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "diagnose/chains.h"
#include "simulated_chains.h"

namespace ulisse::diagnose {
namespace {

double score(double rank, double count) {
  return boost::math::quantile(boost::math::normal(), (rank - 0.375) / (count + 0.25));
}

TEST(NormalScores, AreQuantilesOfRanks) {
  const Matrix draws = (Matrix(2, 2) << 7, -1, 100, 8).finished();
  const Matrix scores = normal_scores(draws);
  EXPECT_NEAR(scores(0, 0), score(2, 4), 1e-15);
  EXPECT_NEAR(scores(1, 0), score(4, 4), 1e-15);
  EXPECT_NEAR(scores(0, 1), score(1, 4), 1e-15);
  EXPECT_NEAR(scores(1, 1), score(3, 4), 1e-15);
}

TEST(NormalScores, OfEqualDrawsAreThatOfTheMeanRank) {
  const Matrix scores = normal_scores((Matrix(5, 1) << 2, 1, 2, 3, 2).finished());
  for (const Index i : {0, 2, 4}) EXPECT_NEAR(scores(i, 0), score(3, 5), 1e-15);
  EXPECT_NEAR(scores(1, 0), score(1, 5), 1e-15);
  EXPECT_NEAR(scores(3, 0), score(5, 5), 1e-15);
}

TEST(NormalScores, HaveMeanZeroAndVarianceNearlyOne) {
  const Matrix scores = normal_scores(testing::independent(1000, 4, 1).array().exp());
  EXPECT_NEAR(scores.mean(), 0, 1e-14);
  EXPECT_NEAR(scores.squaredNorm() / 4000, 1, 1e-2);
}

TEST(NormalScores, RankInfinityHighest) {
  const Matrix scores = normal_scores((Matrix(3, 1) << 1, INFINITY, -INFINITY).finished());
  EXPECT_NEAR(scores(1, 0), score(3, 3), 1e-15);
  EXPECT_NEAR(scores(2, 0), score(1, 3), 1e-15);
}

TEST(SplitChains, LeavesOutTheMiddleOfAnOddNumber) {
  const Matrix draws = (Matrix(5, 2) << 1, 6, 2, 7, 3, 8, 4, 9, 5, 10).finished();
  EXPECT_EQ(split_chains(draws), (Matrix(2, 4) << 1, 6, 4, 9, 2, 7, 5, 10).finished());
  EXPECT_EQ(split_chains(draws.topRows(4)), (Matrix(2, 4) << 1, 6, 3, 8, 2, 7, 4, 9).finished());
}

TEST(Folded, IsTheDistanceFromTheMedian) {
  const Matrix draws = (Matrix(2, 2) << 1, 5, 2, 10).finished();
  EXPECT_EQ(folded(draws), (Matrix(2, 2) << 2.5, 1.5, 1.5, 6.5).finished());
}

}  // namespace
}  // namespace ulisse::diagnose
