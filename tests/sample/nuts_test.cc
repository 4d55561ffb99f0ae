// NUTS with its warm-up against known moments. Fixed seeds; each comparison raises a false alarm
// once in a million.

#include "sample/nuts.h"

#include <gtest/gtest.h>

#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::advance;
using testing::Banana;
using testing::correlated_gaussian;
using testing::draws_of;
using testing::effective_draws;
using testing::expect_moments;
using testing::Gaussian;
using testing::TruncatedGaussian;

Matrix identity(Index d) { return Matrix::Identity(d, d); }

TEST(Nuts, FindsTheMomentsOfACorrelatedGaussian) {
  for (const Index d : {3, 10}) {
    const Gaussian target = correlated_gaussian(d);
    Nuts nuts(target, Vector::Zero(d), identity(d));
    expect_moments(draws_of(nuts, 20'000, 1), target.mean(), target.covariance());
  }
}

TEST(Nuts, FindsTheMomentsOfABanana) {
  const Banana target;
  Nuts nuts(target, Vector::Zero(2), identity(2));
  expect_moments(draws_of(nuts, 100'000, 2), target.mean(), target.covariance());
}

TEST(Nuts, FindsTheMomentsBehindABoundOfRejection) {
  const TruncatedGaussian target;
  Nuts nuts(target, Vector::Zero(2), identity(2));
  expect_moments(draws_of(nuts, 50'000, 3), target.mean(), target.covariance());
}

TEST(Nuts, DrawsFromAGaussianAreNearlyIndependent) {
  const Gaussian target = correlated_gaussian(3);
  Nuts nuts(target, target.mean(), target.covariance());
  const Matrix draws = draws_of(nuts, 5000, 4);
  for (Index i = 0; i < 3; ++i) EXPECT_GT(effective_draws(draws.col(i)), 2000) << i;
}

TEST(Nuts, ATransitionSaysWhereTheChainIs) {
  const Gaussian target = correlated_gaussian(3);
  Nuts nuts(target, target.mean(), target.covariance(), {.warmup = 50});
  for (int i = 0; i < 100; ++i) {
    const Transition transition = advance(nuts, 5, i);
    EXPECT_EQ(transition.log_density, target.log_density(transition.psi).value);
    EXPECT_GT(transition.energy, -transition.log_density);
    EXPECT_GE(transition.leapfrogs, (1 << transition.tree_depth) - 1);
    EXPECT_GE(transition.accept_stat, 0);
    EXPECT_LE(transition.accept_stat, 1);
    EXPECT_FALSE(i >= 50 && transition.divergent) << "diverges after warm-up";
  }
}

// Everything but the start is rejected: the chain stays, and says so.
TEST(Nuts, ATargetThatRejectsEverythingLeavesTheChainWhereItIs) {
  struct Point : testing::Density<Point> {
    LogDensity evaluate(const Vector& psi) const {
      return {0, Vector::Zero(2), psi.isZero(0) ? "" : "elsewhere"};
    }
  };
  const Point target;
  Nuts nuts(target, Vector::Zero(2), identity(2), {.warmup = 30});
  for (int i = 0; i < 40; ++i) {
    const Transition transition = advance(nuts, 6, i);
    EXPECT_TRUE(transition.divergent);
    EXPECT_TRUE(transition.psi.isZero(0));
    EXPECT_GT(transition.step_size, 0);
  }
}

}  // namespace
}  // namespace ulisse
