// Moves between two modes, and the sampler that makes them. Each comparison raises a false alarm
// once in a million.

#include "sample/mode_swap.h"

#include <gtest/gtest.h>

#include "sample/langevin.h"
#include "sample/swapping.h"
#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::draws_of;
using testing::expect_mean;
using testing::Gaussian;

const Matrix kWide{{1, 0.5}, {0.5, 2}}, kNarrow{{0.9, -0.2}, {-0.2, 0.6}};
const Vector kFirst{{0, 0}}, kSecond{{30, -20}};
const double kNoise = 0.08, kNoiseNearSecond = 0.8;  // variances of gradients

// Two Gaussians dozens of standard deviations apart, with noisy gradients.
class TwoHumps {
 public:
  explicit TwoHumps(double share_of_second) : share_(share_of_second) {}

  LogDensity log_density(const Vector& psi) const {
    const double a = part(first_, 1 - share_, psi), b = part(second_, share_, psi);
    return {.value = std::max(a, b) + std::log1p(std::exp(-std::abs(a - b)))};
  }
  GradientEstimate estimate(const Vector& psi, Rng& rng) const {
    GradientEstimate e;
    const double a = part(first_, 1 - share_, psi), b = part(second_, share_, psi);
    const double of_second = 1 / (1 + std::exp(a - b));
    const double noise = kNoise + of_second * (kNoiseNearSecond - kNoise);
    e.gradient = (1 - of_second) * first_.evaluate(psi).gradient +
                 of_second * second_.evaluate(psi).gradient +
                 std::sqrt(noise) * rng.normal_vector(2);
    e.covariance = noise * Matrix::Identity(2, 2);
    return e;
  }

 private:
  static double part(const Gaussian& hump, double share, const Vector& psi) {
    return std::log(share) - 0.5 * std::log(hump.covariance().determinant()) +
           hump.evaluate(psi).value;
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

TEST(ModeSwap, SizesMustAgree) {
  EXPECT_THROW(ModeSwap(kFirst, kWide, Vector::Zero(3), kNarrow), std::invalid_argument);
}

// Each part has its own moments, to which gradients' noise and the normals that are drawn again
// after a swap add nothing. Steps near the second are scaled to both.
TEST(Swapping, BothModesHaveTheirSharesAndShapes) {
  for (const double share : {0.05, 0.4}) {
    const TwoHumps target(share);
    const Matrix noise = kNoise * Matrix::Identity(2, 2);
    const Matrix metric = (kWide.inverse() + kNarrow.inverse()).inverse();
    const LangevinScale near_second{.metric = metric,
                                    .covariance = kNarrow,
                                    .noise = kNoiseNearSecond * Matrix::Identity(2, 2)};
    Swapping<Langevin<TwoHumps>, TwoHumps> sampler(
        Langevin<TwoHumps>(target, kFirst, kWide, noise, {.step = 2.2, .warmup = 20}, near_second),
        swap(), &target);
    const Matrix draws = draws_of(sampler, 200'000, 1);
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
  }
}

TEST(Swapping, WithoutAnotherModeItIsTheSamplerItself) {
  const TwoHumps target(0.1);
  const Langevin<TwoHumps> alone(target, kFirst, kWide, Matrix::Zero(2, 2), {.warmup = 5});
  Langevin<TwoHumps> same = alone;
  Swapping<Langevin<TwoHumps>, TwoHumps> sampler(alone, std::nullopt, nullptr);
  EXPECT_EQ(draws_of(sampler, 50, 1), draws_of(same, 50, 1));
}

}  // namespace
}  // namespace ulisse
