// Stochastic-gradient Langevin dynamics on a Gaussian whose gradient comes with known noise.

#include "sample/sgld.h"

#include <gtest/gtest.h>

#include "support/statistics.h"

namespace ulisse {
namespace {

// N(mean, I) in two dimensions; gradients with noise of the given sd from probes that are kept.
class NoisyGaussian {
 public:
  explicit NoisyGaussian(double noise) : noise_(noise) {}

  void begin(const Vector& /*psi*/) { ++begins_; }
  void draw_probes(Rng& rng) {
    ++draws_;
    state_.probes = rng.normal_vector(2);
    state_.probe_weights = state_.solutions = Matrix::Zero(2, 1);
  }
  GradientEstimate estimate(const Vector& psi, Rng&) const {
    GradientEstimate e;
    e.gradient = mean() - psi + noise_ * state_.probes.col(0);
    e.covariance = noise_ * noise_ * Matrix::Identity(2, 2);
    e.solves.solve.products = 3;
    return e;
  }
  GradientState state() const { return state_; }
  void set_state(GradientState state) { state_ = std::move(state); }

  static Vector mean() { return (Vector(2) << 1, -2).finished(); }
  int draws() const { return draws_; }
  int begins() const { return begins_; }

 private:
  double noise_;
  int draws_ = 0, begins_ = 0;
  GradientState state_;
};

static_assert(GradientTarget<NoisyGaussian>);
static_assert(GradientTarget<StochasticGradient>);
static_assert(Sampler<Sgld<NoisyGaussian>>);
static_assert(Sampler<Sgld<StochasticGradient>>);

template <class S>
Transition advance(S& sampler, std::uint64_t iteration) {
  Rng rng = stream(5, 0, Purpose::transition, iteration);
  return sampler.step(rng);
}

// The paper's rules at a shorter length.
SgldOptions paper_sgld(int iterations, double first_step, double last_step) {
  return {.rule = StepRule::schedule,
          .first_step = first_step,
          .last_step = last_step,
          .schedule = iterations,
          .noise_ratio = 0.002,
          .redraw_every = 20,
          .longest_warmup = iterations / 4 * 3,
          .noise_from = NoiseFrom::batch};
}

TEST(StepSchedule, RunsFromItsFirstStepToItsLast) {
  const StepSchedule schedule(0.1, 1e-4, 40000, 1);
  EXPECT_NEAR(schedule.at(0), 0.1, 1e-15);
  EXPECT_NEAR(schedule.at(40000), 1e-4, 1e-12);
  EXPECT_NEAR(schedule.at(10000) * (40000 / 999.0 + 10000), 0.1 * 40000 / 999.0, 1e-9);
  const StepSchedule slow(0.1, 1e-4, 1000, 0.6);
  EXPECT_NEAR(slow.at(1000), 1e-4, 1e-12);
  EXPECT_EQ(StepSchedule(0.1, 0.1, 10, 1).at(1000), 0.1);
}

// x' = (1 - eps/2) x + sqrt(eps) n + eps/2 noise has variance (1 + eps/4 noise^2) / (1 - eps/4).
// The chain's mean and variance have the standard errors of its autocorrelation time 4/eps; a false
// alarm is below one in a million for each of four.
TEST(Sgld, HasTheStationaryLawOfItsStepAndNoise) {
  constexpr double kStep = 0.4, kNoise = 1.5;
  NoisyGaussian target(kNoise);
  Sgld<NoisyGaussian> sampler(target, NoisyGaussian::mean(), Matrix::Identity(2, 2),
                              {.first_step = kStep, .noise_ratio = 10, .longest_warmup = 100});
  for (int i = 0; i < 200; ++i) advance(sampler, static_cast<std::uint64_t>(i));
  constexpr int kCount = 40000;
  Matrix draws(2, kCount);
  for (int i = 0; i < kCount; ++i) {
    draws.col(i) = advance(sampler, static_cast<std::uint64_t>(200 + i)).psi;
  }
  const double variance = (1 + kStep / 4 * kNoise * kNoise) / (1 - kStep / 4);
  const double independent = kCount / (4 / kStep);
  for (Index j = 0; j < 2; ++j) {
    const Vector centred = draws.row(j).transpose().array() - NoisyGaussian::mean()(j);
    EXPECT_LT(std::abs(centred.mean()) / std::sqrt(variance / independent),
              testing::kOneInAMillion);
    const double measured = centred.squaredNorm() / kCount;
    EXPECT_LT(std::abs(measured / variance - 1) * std::sqrt(independent), testing::kOneInAMillion);
  }
}

TEST(Sgld, TheScheduleFreezesWhenTheNoiseIsSmallEnough) {
  NoisyGaussian target(2);  // lambda_max(M V) = 4 with a little more from the chain's motion
  SgldOptions options = paper_sgld(4000, 0.1, 1e-3);
  options.noise_ratio = 0.02;  // eps = 0.02
  Sgld<NoisyGaussian> sampler(target, NoisyGaussian::mean(), Matrix::Identity(2, 2), options);
  int frozen = 0;
  while (sampler.warming_up()) advance(sampler, static_cast<std::uint64_t>(frozen++));
  EXPECT_EQ(sampler.record().frozen_at, frozen);
  EXPECT_EQ(frozen % 100, 0);
  EXPECT_TRUE(sampler.record().frozen_by_noise);
  EXPECT_LE(sampler.record().noise_ratio, 0.02);
  const double step = sampler.step_size();
  for (int i = 0; i < 300; ++i) advance(sampler, static_cast<std::uint64_t>(frozen + i));
  EXPECT_EQ(sampler.step_size(), step);
  EXPECT_EQ(target.draws(), (frozen + 300) / 20);  // probes are kept for 20 iterations
}

TEST(Sgld, TheRuleNoiseTakesTheStepThatTheNoiseAllows) {
  NoisyGaussian target(2);
  Sgld<NoisyGaussian> sampler(target, NoisyGaussian::mean(), Matrix::Identity(2, 2),
                              {.first_step = 0.5, .noise_ratio = 0.02, .longest_warmup = 300});
  for (int i = 0; i < 300; ++i) advance(sampler, static_cast<std::uint64_t>(i));
  EXPECT_FALSE(sampler.warming_up());
  EXPECT_NEAR(sampler.step_size(), 4 * 0.02 / 4, 1e-12);
  EXPECT_TRUE(sampler.record().frozen_by_noise);
}

TEST(Sgld, WhenTheNoiseStaysTooLargeTheRecordSaysSo) {
  NoisyGaussian target(1000);
  SgldOptions options = paper_sgld(400, 0.1, 0.05);
  Sgld<NoisyGaussian> sampler(target, NoisyGaussian::mean(), Matrix::Identity(2, 2), options);
  for (int i = 0; i < 300; ++i) advance(sampler, static_cast<std::uint64_t>(i));
  EXPECT_FALSE(sampler.warming_up());
  EXPECT_FALSE(sampler.record().frozen_by_noise);
}

// Gradients a million times too large would throw the chain out of sight in one step: eps/2 of them
// becomes 3, and the noise of a step is 0.6 at most here.
TEST(Sgld, LongDriftsAreCutAndCounted) {
  NoisyGaussian target(1e6);
  Sgld<NoisyGaussian> sampler(
      target, NoisyGaussian::mean(), Matrix::Identity(2, 2),
      {.rule = StepRule::schedule, .last_step = 1e-3, .longest_warmup = 100});
  Vector before = NoisyGaussian::mean();
  for (int i = 0; i < 300; ++i) {
    const Vector after = advance(sampler, static_cast<std::uint64_t>(i)).psi;
    EXPECT_LT((after - before).norm(), 3 + 2);
    before = after;
  }
  EXPECT_EQ(sampler.record().cut_drifts, 200) << "those of warm-up do not count";
  EXPECT_EQ(target.begins(), 1);
}

TEST(Sgld, AnArchiveGoesOnBitForBit) {
  for (const int stop : {0, 1, 19, 20, 99, 100, 150, 299, 300, 350}) {
    NoisyGaussian one(1), other(1);
    SgldOptions options = paper_sgld(400, 0.1, 0.01);
    Sgld<NoisyGaussian> whole(one, NoisyGaussian::mean(), Matrix::Identity(2, 2), options),
        restored(other, Vector::Zero(2), Matrix::Identity(2, 2), options);
    for (int i = 0; i < stop; ++i) advance(whole, static_cast<std::uint64_t>(i));
    ArchiveWriter writer;
    writer(whole);
    ArchiveReader reader(writer.bytes());
    reader(restored);
    reader.finish();
    for (int i = stop; i < 400; ++i) {
      const auto iteration = static_cast<std::uint64_t>(i);
      ASSERT_EQ(advance(whole, iteration).psi, advance(restored, iteration).psi)
          << stop << " " << i;
    }
  }
}

TEST(Sgld, CountsItsProducts) {
  NoisyGaussian target(1);
  Sgld<NoisyGaussian> sampler(target, NoisyGaussian::mean(), Matrix::Identity(2, 2), {});
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(advance(sampler, static_cast<std::uint64_t>(i)).leapfrogs, 3);
  EXPECT_EQ(sampler.record().solves.products, 21);
  EXPECT_EQ(sampler.record().solves.iterations, 7);
}

// Probes that are kept for 20 iterations are worth 20 times the noise: the step must be that much
// shorter, and the draws' variance is then off by the ratio that was asked for, not by 20 times it.
TEST(Sgld, KeptProbesCountAsOftenAsTheyPush) {
  NoisyGaussian target(2);
  constexpr double kRatio = 0.05;
  Sgld<NoisyGaussian> sampler(
      target, NoisyGaussian::mean(), Matrix::Identity(2, 2),
      {.first_step = 0.5, .noise_ratio = kRatio, .redraw_every = 20, .longest_warmup = 300});
  for (int i = 0; i < 400; ++i) advance(sampler, static_cast<std::uint64_t>(i));
  EXPECT_NEAR(sampler.step_size(), 4 * kRatio / (20 * 4), 1e-12);
  EXPECT_NEAR(sampler.record().noise_ratio, kRatio, 1e-12) << "after the freeze, too";
  EXPECT_TRUE(sampler.record().frozen_by_noise);
}

}  // namespace
}  // namespace ulisse
