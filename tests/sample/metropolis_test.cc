// Metropolis-Hastings against known moments, its proposals good and bad. Fixed seeds; each
// comparison raises a false alarm once in a million.

#include "sample/metropolis.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>

#include "support/chains.h"
#include "support/densities.h"
#include "support/invariance.h"

namespace ulisse {
namespace {

using testing::advance;
using testing::Banana;
using testing::correlated_gaussian;
using testing::draws_of;
using testing::effective_draws;
using testing::expect_invariant;
using testing::expect_mean;
using testing::expect_moments;
using testing::Gaussian;
using testing::TruncatedGaussian;

const MetropolisOptions kWalkOnly{.warmup = 2000, .walk_share = 1};

TEST(Metropolis, FindsTheMomentsOfACorrelatedGaussian) {
  for (const Index d : {3, 10}) {
    const Gaussian target = correlated_gaussian(d);
    Metropolis mh(target, target.mean(), target.mean(), target.covariance());
    expect_moments(draws_of(mh, 50'000, 1), target.mean(), target.covariance());
  }
}

TEST(Metropolis, TheWalkAloneFindsTheMomentsOfACorrelatedGaussian) {
  for (const Index d : {3, 10}) {
    const Gaussian target = correlated_gaussian(d);
    Metropolis mh(target, target.mean(), target.mean(), target.covariance(), kWalkOnly);
    expect_moments(draws_of(mh, 100'000, 2), target.mean(), target.covariance());
  }
}

TEST(Metropolis, FindsTheMomentsOfABanana) {
  const Banana target;
  Metropolis mh(target, Vector::Zero(2), Vector{{0, -1}}, Matrix{{0.3, 0}, {0, 0.3}});
  expect_moments(draws_of(mh, 400'000, 3), target.mean(), target.covariance());
}

TEST(Metropolis, FindsTheMomentsBehindABoundOfRejection) {
  const TruncatedGaussian target;
  for (const MetropolisOptions& options : {MetropolisOptions(), kWalkOnly}) {
    Metropolis mh(target, Vector::Zero(2), Vector::Zero(2), Matrix::Identity(2, 2), options);
    expect_moments(draws_of(mh, 100'000, 4), target.mean(), target.covariance());
  }
}

// Independent Student-t variables with 4 degrees of freedom: no fourth moments, and tails heavier
// than the proposals'.
struct HeavyTails : testing::Density<HeavyTails> {
  static constexpr double kFreedom = 4;
  LogDensity evaluate(const Vector& psi) const {
    const auto one = 1 + psi.array().square() / kFreedom;
    return {-0.5 * (kFreedom + 1) * one.log().sum(), -(kFreedom + 1) / kFreedom * psi.array() / one,
            ""};
  }
};

// A mode that is off, and covariances four times too small and too large. The distribution function
// at a few points, since moments of such tails converge too slowly.
TEST(Metropolis, BadProposalsStillGiveTheRightDistribution) {
  const HeavyTails target;
  const boost::math::students_t distribution(HeavyTails::kFreedom);
  for (const double scale : {0.25, 4.0}) {
    Metropolis mh(target, Vector::Zero(2), Vector{{0.5, -0.5}}, scale * Matrix::Identity(2, 2));
    const Matrix draws = draws_of(mh, 300'000, 5);
    for (const double at : {-4.0, -2.0, -1.0, 0.0, 0.5, 1.5, 3.0}) {
      for (Index i = 0; i < 2; ++i) {
        const Vector below = (draws.col(i).array() < at).cast<double>();
        expect_mean(below, boost::math::cdf(distribution, at), "below " + std::to_string(at));
      }
    }
  }
}

// The proposals reach a corner of the target only, and are refused almost always: the walk must do
// it.
TEST(Metropolis, UselessProposalsLeaveTheWorkToTheWalk) {
  const Gaussian target = correlated_gaussian(3);
  const Vector away = target.mean().array() + 20;
  Metropolis mh(target, target.mean(), away, target.covariance(), {.warmup = 2000});
  expect_moments(draws_of(mh, 100'000, 6), target.mean(), target.covariance());
  EXPECT_GT(mh.walk_share(), 0.8);
}

template <class Target>
void expect_step_invariant(const Target& target, const Vector& mode, const Matrix& covariance,
                           double walk_share) {
  expect_invariant(target, [&](const Vector& psi, Rng& rng) {
    Metropolis mh(target, psi, mode, covariance, {.warmup = 0, .walk_share = walk_share});
    return mh.step(rng).psi;
  });
}

TEST(Metropolis, EachKindOfStepLeavesItsTargetInvariant) {
  const Gaussian gaussian = correlated_gaussian(3);
  for (const double walk_share : {0.0, 0.5, 1.0}) {
    expect_step_invariant(gaussian, gaussian.mean().array() + 0.3, 2 * gaussian.covariance(),
                          walk_share);
    expect_step_invariant(Banana(), Vector{{0.5, -0.5}}, Matrix{{1, 0.5}, {0.5, 1}}, walk_share);
    expect_step_invariant(TruncatedGaussian(), Vector::Zero(2), Matrix::Identity(2, 2), walk_share);
  }
}

TEST(Metropolis, DrawsFromAGaussianAreNearlyIndependent) {
  const Gaussian target = correlated_gaussian(3);
  Metropolis mh(target, target.mean(), target.mean(), target.covariance());
  const Matrix draws = draws_of(mh, 20'000, 7);
  for (Index i = 0; i < 3; ++i) EXPECT_GT(effective_draws(draws.col(i)), 8000) << i;
  EXPECT_EQ(mh.walk_share(), 0.1);
}

// The paper's 20 to 40 %, from starts that are far too bold and far too timid.
TEST(Metropolis, WarmupScalesTheWalkToItsAcceptance) {
  const Gaussian target = correlated_gaussian(10);
  for (const double scale : {1e-4, 1.0, 1e4}) {
    Metropolis mh(target, target.mean(), target.mean(), scale * target.covariance(), kWalkOnly);
    while (mh.warming_up()) advance(mh, 8, mh.iteration());
    const double settled = mh.step_size();
    double sum = 0;
    for (int i = 0; i < 5000; ++i) sum += advance(mh, 8, mh.iteration()).accept_stat;
    EXPECT_GT(sum / 5000, 0.2) << scale;
    EXPECT_LT(sum / 5000, 0.4) << scale;
    EXPECT_EQ(mh.step_size(), settled) << "the scale changes after warm-up";
  }
}

TEST(Metropolis, ATransitionSaysWhereTheChainIs) {
  const Gaussian target = correlated_gaussian(3);
  Metropolis mh(target, target.mean(), target.mean(), target.covariance(), {.warmup = 50});
  for (int i = 0; i < 200; ++i) {
    const Transition transition = advance(mh, 9, i);
    EXPECT_EQ(transition.log_density, target.log_density(transition.psi).value);
    EXPECT_EQ(transition.energy, -transition.log_density);
    EXPECT_GE(transition.accept_stat, 0);
    EXPECT_LE(transition.accept_stat, 1);
  }
}

// 0.3 N(-10, 1) + 0.7 N(10, 1/4), twenty standard deviations apart.
struct HumpsApart {
  static LogDensity log_density(const Vector& psi) {
    const double a = std::log(0.3) - 0.5 * std::pow(psi(0) + 10, 2);
    const double b = std::log(0.7 * 2) - 0.5 * std::pow(2 * (psi(0) - 10), 2);
    return {.value = std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)))};
  }
  static LogDensity log_density_and_gradient(const Vector& psi) { return log_density(psi); }
};

TEST(Metropolis, WithProposalsAtBothModesTheirSharesAreRight) {
  const HumpsApart target;
  const Vector low = Vector::Constant(1, -10), high = Vector::Constant(1, 10);
  const SecondMode second{.psi = low, .covariance = Matrix::Identity(1, 1), .share = 0.5};
  Metropolis<HumpsApart> sampler(target, low, high, 0.25 * Matrix::Identity(1, 1), {}, second);
  const int warmup = 500, draws = 20000;
  double share = 0, square = 0;
  for (int i = 0; i < warmup + draws; ++i) {
    Rng rng = stream(3, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const double psi = sampler.step(rng).psi(0);
    if (i < warmup) continue;
    if (psi < 0) {
      share += 1.0 / draws;
      square += std::pow(psi + 10, 2) / draws;
    }
  }
  // Draws are worth a third of as many independent ones or more: five standard errors.
  EXPECT_NEAR(share, 0.3, 5 * std::sqrt(0.3 * 0.7 / (draws / 3.0)));
  EXPECT_NEAR(square / share, 1, 5 * std::sqrt(2 / (0.3 * draws / 3.0)));
}

}  // namespace
}  // namespace ulisse
