// Moves between two modes, and the sampler that makes them. Each comparison raises a false alarm
// once in a million.

#include "sample/mode_swap.h"

#include <gtest/gtest.h>

#include "sample/nuts.h"
#include "sample/swapping.h"
#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::Density;
using testing::draws_of;
using testing::expect_mean;
using testing::Gaussian;

const Matrix kWide{{1, 0.5}, {0.5, 2}}, kNarrow{{0.9, -0.2}, {-0.2, 0.6}};
const Vector kFirst{{0, 0}}, kSecond{{30, -20}};

// Two Gaussians dozens of standard deviations apart, in coordinates that are psi + 1.
class TwoHumps {
 public:
  explicit TwoHumps(double share_of_second) : share_(share_of_second) {}

  LogDensity log_density(const Vector& u) const { return log_density_and_gradient(u); }
  LogDensity log_density_and_gradient(const Vector& u) const {
    const double a = part(first_, 1 - share_, u), b = part(second_, share_, u);
    const double of_second = 1 / (1 + std::exp(a - b));
    return {.value = std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))),
            .gradient = (1 - of_second) * first_.evaluate(u).gradient +
                        of_second * second_.evaluate(u).gradient};
  }
  static Vector psi(const Vector& u) { return u.array() - 1; }
  static double of_psi(const Vector& /*u*/, double log_density) { return log_density - 5; }

 private:
  static double part(const Gaussian& hump, double share, const Vector& u) {
    return std::log(share) - 0.5 * std::log(hump.covariance().determinant()) +
           hump.evaluate(u).value;
  }
  double share_;
  Gaussian first_{kFirst, kWide}, second_{kSecond, kNarrow};
};

ModeSwap swap() { return {kFirst, kWide, kSecond, kNarrow}; }

TEST(ModeSwap, LeadsBackAndStretchesByTheDeterminant) {
  const Vector psi{{0.7, -1.1}};
  const auto there = swap().from(psi);
  ASSERT_TRUE(there.has_value());
  EXPECT_LT((there->psi - kSecond).norm(), 5);
  EXPECT_NEAR(there->log_stretch, 0.5 * std::log(kNarrow.determinant() / kWide.determinant()),
              1e-12);
  const auto back = swap().from(there->psi);
  ASSERT_TRUE(back.has_value());
  EXPECT_LT((back->psi - psi).norm(), 1e-12);
  EXPECT_NEAR(back->log_stretch, -there->log_stretch, 1e-12);
}

// Of two modes that are near, places on the far side lead to where the way back begins elsewhere.
TEST(ModeSwap, IsNotTriedWhereItWouldNotLeadBack) {
  const ModeSwap near(Vector::Zero(1), Matrix::Identity(1, 1), Vector::Ones(1),
                      9 * Matrix::Identity(1, 1));
  int there_and_back = 0, none = 0;
  for (int i = -60; i < 60; ++i) {
    const double at = 0.1 * i;
    const Vector psi = Vector::Constant(1, at);
    const auto there = near.from(psi);
    none += there ? 0 : 1;
    if (!there) continue;
    ++there_and_back;
    const auto back = near.from(there->psi);
    ASSERT_TRUE(back.has_value()) << at;
    EXPECT_NEAR(back->psi(0), at, 1e-9);
  }
  EXPECT_GT(there_and_back, 0);
  EXPECT_GT(none, 0);
}

TEST(ModeSwap, KnowsHowNarrowTheSecondIs) {
  const Matrix unit = Matrix::Identity(2, 2);
  EXPECT_NEAR(ModeSwap(kFirst, unit, kSecond, Matrix{{0.04, 0}, {0, 9}}).narrowness(), 0.2, 1e-12);
  EXPECT_EQ(ModeSwap(kFirst, unit, kSecond, 9 * unit).narrowness(), 1);
  EXPECT_NEAR(ModeSwap(kFirst, kWide, kSecond, 0.25 * kWide).narrowness(), 0.5, 1e-12);
}

TEST(ModeSwap, SizesMustAgree) {
  EXPECT_THROW(ModeSwap(kFirst, kWide, Vector::Zero(3), kNarrow), std::invalid_argument);
}

// Each part has its own moments. Draws are parameters, not coordinates.
TEST(Swapping, BothModesHaveTheirSharesAndShapes) {
  for (const double share : {0.05, 0.4}) {
    const TwoHumps target(share);
    Swapping<Nuts<TwoHumps>, TwoHumps> sampler(
        Nuts<TwoHumps>(target, kFirst, kWide, {.warmup = 100, .learns_metric = false}), swap(),
        target);
    const Matrix draws = draws_of(sampler, 100'000, 1).array() + 1;
    const Vector is_second = (draws.col(0).array() > 15).cast<double>();
    expect_mean(is_second, share, "share of the second");
    const auto expect_spread = [&](const Vector& mode, const Matrix& covariance, const Vector& here,
                                   double here_share) {
      for (Index i = 0; i < 2; ++i) {
        for (Index j = 0; j <= i; ++j) {
          const Vector product =
              here.array() * (draws.col(i).array() - mode(i)) * (draws.col(j).array() - mode(j));
          // As a regression on the share, whose own error is larger.
          const Vector off = product - covariance(i, j) * here;
          expect_mean(off, 0,
                      "spread of " + std::to_string(i) + std::to_string(j) + " at " +
                          std::to_string(here_share));
        }
      }
    };
    expect_spread(kFirst, kWide, 1 - is_second.array(), 1 - share);
    expect_spread(kSecond, kNarrow, is_second, share);
    EXPECT_GT(sampler.swapped(), 1000);
    EXPECT_GT(sampler.tried(), sampler.swapped());
    EXPECT_GT(sampler.mean_gradients(), 0.9);
    // 0.8 around the first, less around the second, which is narrower than the metric.
    EXPECT_NEAR(sampler.mean_acceptance(), 0.75, 0.15);
  }
}

// Stays where it is put, and diverges there.
class Diverging {
 public:
  Diverging(Vector place, double used) : place_(std::move(place)), used_(used) {}
  Transition step(Rng& /*rng*/) const {
    return {.psi = place_,
            .log_density = 0,
            .accept_stat = 1,
            .step_size = used_,
            .divergent = true,
            .energy = 0};
  }
  static bool warming_up() { return false; }
  static double step_size() { return 0.5; }
  const Vector& place() const { return place_; }
  static double log_density() { return 0; }
  static bool move_to(const Vector& /*place*/) { return false; }

 private:
  Vector place_;
  double used_;
};

// Long steps alone, and where the second mode is narrower, are none to tell of.
TEST(Swapping, DivergencesAreToldUnlessShortStepsTakeTurns) {
  const TwoHumps target(0.3);
  const ModeSwap alike(kFirst, kWide, kSecond, kWide);
  const auto divergent = [&](const ModeSwap& modes, const Vector& place, double used) {
    Swapping<Diverging, TwoHumps> sampler(Diverging(place, used), modes, target);
    Rng rng = stream(1, 0, Purpose::transition);
    return sampler.step(rng).divergent;
  };
  EXPECT_TRUE(divergent(swap(), kFirst, 0.5));
  EXPECT_FALSE(divergent(swap(), kSecond, 0.5));
  EXPECT_TRUE(divergent(swap(), kSecond, 0.1)) << "a short one";
  EXPECT_TRUE(divergent(alike, kSecond, 0.5));
}

// Steps that fit the first diverge around a second that is twenty times narrower; shorter ones,
// half of the time, keep chains moving there.
TEST(Swapping, ANarrowSecondModeIsNoTrap) {
  class Narrow : public Density<Narrow> {
   public:
    LogDensity evaluate(const Vector& u) const {
      const double a = -0.5 * u.squaredNorm();
      const double b = -0.5 * (u.array() - 30).matrix().squaredNorm() * 400 + 2 * std::log(20.0);
      const bool second = b > a;
      return {.value = second ? b : a,
              .gradient = second ? Vector(400 * (30 - u.array())) : Vector(-u)};
    }
    static Vector psi(const Vector& u) { return u; }
    static double of_psi(const Vector& /*u*/, double log_density) { return log_density; }
  };
  const Narrow target;
  const Matrix unit = Matrix::Identity(2, 2);
  const ModeSwap swap(Vector::Zero(2), unit, Vector::Constant(2, 30), unit / 400);
  for (const double shorter : {1.0, swap.narrowness()}) {
    Swapping<Nuts<Narrow>, Narrow> sampler(
        Nuts<Narrow>(target, Vector::Zero(2), unit,
                     {.warmup = 100, .learns_metric = false, .shorter = shorter}),
        swap, target);
    const Matrix draws = draws_of(sampler, 20'000, 1);
    long still = 0;
    for (Index i = 1; i < draws.rows(); ++i) still += draws.row(i) == draws.row(i - 1) ? 1 : 0;
    EXPECT_EQ(still < 3'000, shorter < 1) << still;
    const Vector is_second = (draws.col(0).array() > 15).cast<double>();
    expect_mean(is_second, 0.5, "share of the second");
  }
}

TEST(Swapping, WithoutAnotherModeItIsTheSamplerItself) {
  const TwoHumps target(0.1);
  const Nuts<TwoHumps> alone(target, kFirst, kWide, {.warmup = 5});
  Nuts<TwoHumps> same = alone;
  Swapping<Nuts<TwoHumps>, TwoHumps> sampler(alone, std::nullopt, target);
  const Matrix coordinates = draws_of(same, 50, 1);
  EXPECT_EQ(draws_of(sampler, 50, 1), Matrix(coordinates.array() - 1));
  EXPECT_EQ(sampler.tried(), 0);
}

TEST(Swapping, TellsTheDensityOfParameters) {
  const TwoHumps target(0.1);
  Swapping<Nuts<TwoHumps>, TwoHumps> sampler(Nuts<TwoHumps>(target, kFirst, kWide, {.warmup = 0}),
                                             swap(), target);
  const Transition made = testing::advance(sampler, 1, 0);
  EXPECT_NEAR(made.log_density, target.log_density(made.psi.array() + 1).value - 5, 1e-12);
  EXPECT_GT(made.energy + made.log_density, 0) << "what is left is kinetic";
}

}  // namespace
}  // namespace ulisse
