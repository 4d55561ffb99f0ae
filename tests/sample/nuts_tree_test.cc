// One draw of the no-U-turn sampler: where it stops, and that it leaves its target invariant.

#include "sample/nuts_tree.h"

#include <gtest/gtest.h>

#include <numbers>

#include "support/densities.h"
#include "support/invariance.h"

namespace ulisse {
namespace {

using testing::Banana;
using testing::correlated_gaussian;
using testing::expect_invariant;
using testing::Gaussian;
using testing::TruncatedGaussian;

// A stretch of uniform motion on a circle, as of a harmonic oscillator in two dimensions, from one
// angle to another with all angles between at equal distances.
Trajectory arc(double from, double to, int points) {
  Trajectory t;
  t.momentum_sum = Vector::Zero(2);
  for (int i = 0; i < points; ++i) {
    const double angle = from + (to - from) * i / std::max(1, points - 1);
    const Vector momentum{{std::cos(angle), std::sin(angle)}};
    t.momentum_sum += momentum;
    if (i == 0) t.first = {momentum, momentum};
    t.last = {momentum, momentum};
  }
  return t;
}

constexpr double kPi = std::numbers::pi;

TEST(Trajectory, AShortArcDoesNotTurn) {
  EXPECT_FALSE(joined_turns(arc(0, 0.7, 4), arc(0.9, 1.6, 4)));
}

TEST(Trajectory, MoreThanHalfACircleTurns) {
  EXPECT_TRUE(joined_turns(arc(0, 1.8, 4), arc(2.3, 4, 4)));
}

// Two arcs of a whole circle with a gap: the ends move the same way, and both along the sum of all
// momenta. The turn shows only between one arc and the first point of the other. Without the
// additional checks the trajectory would go round for ever.
TEST(Trajectory, AWholePeriodIsSeenByTheChecksAcrossItsHalves) {
  const Trajectory a = arc(-0.2, 0.2, 2), b = arc(2 * kPi - 2.8, 2 * kPi + 0.2, 4);
  ASSERT_FALSE(turns(a.first, b.last, a.momentum_sum + b.momentum_sum));
  EXPECT_TRUE(joined_turns(a, b));
  EXPECT_TRUE(joined_turns(reversed(b), reversed(a)));
}

TEST(Trajectory, WeightsAddUpInLogarithms) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(log_sum_exp(std::log(2.0), std::log(3.0)), std::log(5.0));
  EXPECT_DOUBLE_EQ(log_sum_exp(1000, 0), 1000);
  EXPECT_EQ(log_sum_exp(-infinity, 3), 3);
  EXPECT_EQ(log_sum_exp(-infinity, -infinity), -infinity);
}

template <class Target>
TreeOutcome one_draw(const Target& target, const Vector& psi, const Matrix& covariance,
                     const TreeOptions& options, Rng& rng) {
  const DenseMetric metric(covariance);
  PhasePoint start = at_rest(target, psi);
  start.momentum = metric.draw_momentum(rng);
  return NutsTree(target, metric, options, rng).draw(start);
}

// Steps so large that a good part of a trajectory's energy is wrong, and weights matter.
template <class Target>
void expect_tree_invariant(const Target& target, const Matrix& covariance,
                           const TreeOptions& options) {
  expect_invariant(target, [&](const Vector& psi, Rng& rng) {
    return one_draw(target, psi, covariance, options, rng).draw.psi;
  });
}

TEST(NutsTree, LeavesAGaussianInvariant) {
  const Matrix identity = Matrix::Identity(3, 3);
  expect_tree_invariant(correlated_gaussian(3), 0.05 * identity, {.step_size = 0.7});
  expect_tree_invariant(correlated_gaussian(3), correlated_gaussian(3).covariance(),
                        {.step_size = 1.5});
}

TEST(NutsTree, LeavesABananaInvariant) {
  expect_tree_invariant(Banana(), Matrix{{1, 0.3}, {0.3, 2}}, {.step_size = 0.4});
}

TEST(NutsTree, LeavesABananaInvariantWhenCutShort) {
  expect_tree_invariant(Banana(), Matrix::Identity(2, 2), {.step_size = 0.35, .max_depth = 2});
}

// Trajectories end at the bound, in the middle of a doubling.
TEST(NutsTree, LeavesATruncatedGaussianInvariant) {
  expect_tree_invariant(TruncatedGaussian(), Matrix::Identity(2, 2), {.step_size = 0.5});
}

TEST(NutsTree, ARejectedPointIsADivergence) {
  Rng rng = stream(1, 0, Purpose::simulation);
  const Vector psi{{TruncatedGaussian::kBound + 1e-9, 0}};
  int divergences = 0;
  for (int i = 0; i < 100; ++i) {
    const auto outcome =
        one_draw(TruncatedGaussian(), psi, Matrix::Identity(2, 2), {.step_size = 0.5}, rng);
    divergences += outcome.divergent ? 1 : 0;
    EXPECT_FALSE(outcome.draw.rejected());
  }
  EXPECT_GT(divergences, 40);
}

TEST(NutsTree, AnEnergyErrorAboveTheLimitIsADivergence) {
  Rng rng = stream(2, 0, Purpose::simulation);
  const Gaussian target = correlated_gaussian(3);
  const auto draw_with = [&](double step_size) {
    return one_draw(target, target.mean(), Matrix::Identity(3, 3), {.step_size = step_size}, rng);
  };
  EXPECT_FALSE(draw_with(0.05).divergent);
  const TreeOutcome wild = draw_with(1000);
  EXPECT_TRUE(wild.divergent);
  EXPECT_EQ(wild.draw.psi, target.mean());
  EXPECT_EQ(wild.leapfrogs, 1);
  EXPECT_EQ(wild.depth, 0);
}

TEST(NutsTree, StopsAtTheLargestDepth) {
  Rng rng = stream(3, 0, Purpose::simulation);
  const Gaussian target = correlated_gaussian(3);
  const auto outcome = one_draw(target, target.mean(), Matrix::Identity(3, 3),
                                {.step_size = 1e-4, .max_depth = 4}, rng);
  EXPECT_EQ(outcome.depth, 4);
  EXPECT_EQ(outcome.leapfrogs, 15);
  EXPECT_GT(outcome.accept_stat, 0.999);
}

// Half a period of the oscillator takes 31 steps of 0.1. Narrow orbits turn within a few steps of
// their ends, and a doubling that turns is thrown away, so the mean is what can be known.
TEST(NutsTree, StopsAboutWhenTheTrajectoryTurns) {
  Rng rng = stream(4, 0, Purpose::simulation);
  const Gaussian target(Vector::Zero(2), Matrix::Identity(2, 2));
  double sum = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector psi = target.draw(rng);
    const auto outcome = one_draw(target, psi, Matrix::Identity(2, 2), {.step_size = 0.1}, rng);
    EXPECT_LE(outcome.leapfrogs, 127);
    sum += outcome.leapfrogs;
  }
  EXPECT_GT(sum / 500, 20);
  EXPECT_LT(sum / 500, 63);
}

}  // namespace
}  // namespace ulisse
