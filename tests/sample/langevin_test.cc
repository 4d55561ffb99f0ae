// Langevin dynamics with averaged noise, on targets whose law is known.

#include "sample/langevin.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <vector>

#include "known_laws.h"
#include "support/statistics.h"
#include "ulisse/chain_gradient.h"
#include "ulisse/curved_gradient.h"

namespace ulisse {
namespace {

using testing::LogGamma;
using testing::NoisyNormal;

static_assert(EstimatedGradient<AnchoredGradient>);
static_assert(Sampler<Langevin<AnchoredGradient>>);
static_assert(EstimatedGradient<ChainGradient>);
static_assert(Sampler<Langevin<ChainGradient>>);

template <class Target>
Matrix run(const Target& target, const Vector& start, const Matrix& metric, const Matrix& noise,
           const LangevinOptions& options, int draws) {
  Langevin<Target> sampler(target, start, metric, noise, options);
  Matrix all(draws, start.size());
  for (int i = 0; i < options.warmup + draws; ++i) {
    Rng rng = stream(7, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const Vector psi = sampler.step(rng).psi;
    if (i >= options.warmup) all.row(i - options.warmup) = psi.transpose();
  }
  return all;
}

Matrix some_covariance() {
  Matrix c(2, 2);
  c << 0.06, -0.03, -0.03, 0.02;
  return c;
}

// Exact for a Gaussian at every step, whatever the gradients' noise: variances within five of their
// standard errors, sqrt(2 tau / draws) with tau the squares' autocorrelation time, at most 4/step.
TEST(Langevin, IsExactForAGaussianAtAnyStepAndNoise) {
  const Matrix metric = some_covariance();
  constexpr int kDraws = 100000;
  for (const double step : {0.3, 1.0, 1.5, 2.5}) {
    for (const double noise : {0.0, 0.35}) {
      const NoisyNormal target(metric, noise);
      const Matrix v = noise * noise * metric.inverse();
      const Langevin<NoisyNormal> at_first(target, Vector::Zero(2), metric, v, {.step = step});
      EXPECT_EQ(at_first.step_size(), step) << "which noise did not shorten";
      const Matrix draws = run(target, Vector::Zero(2), metric, v, {.step = step}, kDraws);
      const Matrix centred = draws.rowwise() - draws.colwise().mean();
      const Matrix seen = centred.transpose() * centred / kDraws;
      const double error = 5 * std::sqrt(2 * (4 / step) / kDraws);
      for (Index j = 0; j < 2; ++j) {
        EXPECT_NEAR(seen(j, j) / metric(j, j), 1, error) << step << " " << noise;
      }
    }
  }
}

TEST(Langevin, StepsShrinkWithTheBend) {
  EXPECT_EQ(step_for(0), 2.5);
  EXPECT_EQ(step_for(0.05), 2.5);
  EXPECT_LT(step_for(0.3), 2);
  EXPECT_LT(step_for(0.6), step_for(0.3));
  EXPECT_NEAR(step_for(3), 0.25, 1e-12);
  EXPECT_EQ(step_for(1e9), 0.05);
  EXPECT_EQ(step_for(INFINITY), 0.05);
}

// Without the correction the noise would widen the law by s lambda = 0.6 * 0.49: the test above
// can fail.
TEST(Langevin, TheCorrectionIsNeeded) {
  const Matrix metric = some_covariance();
  const NoisyNormal target(metric, 0.7);
  Langevin<NoisyNormal> sampler(target, Vector::Zero(2), metric, Matrix::Zero(2, 2),
                                {.step = 1.5, .warmup = 0});
  double sum = 0;
  constexpr int kDraws = 50000;
  for (int i = 0; i < kDraws; ++i) {
    Rng rng = stream(8, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const Vector psi = sampler.step(rng).psi;
    sum += psi(0) * psi(0) / kDraws;
  }
  EXPECT_NEAR(sum / metric(0, 0), 1 + 0.6 * 0.49, 0.06);
}

// The gradient 1.5 standard deviations on either side of the mode, against a Gaussian's.
double bend_of_log_gamma(double shape) {
  double bend = 0;
  for (const double z : {1.5, -1.5}) {
    const double slope = std::sqrt(shape) * (1 - std::exp(z / std::sqrt(shape)));
    bend = std::max(bend, std::abs(slope + z) / 1.5);
  }
  return bend;
}

// Skewed laws at the step that the sampler takes for them: mean and 5 % and 95 % quantiles within
// 0.04 of a standard deviation, sd within 2 %; Monte Carlo errors are a third of that.
TEST(Langevin, IsCloseOnASkewedLawAtFullSteps) {
  for (const double shape : {3.0, 10.0, 25.0, 100.0}) {
    const LogGamma target(shape);
    constexpr int kDraws = 200000;
    Matrix draws = run(target, Vector::Zero(1), Matrix::Constant(1, 1, 1 / shape),
                       Matrix::Zero(1, 1), {.step = step_for(bend_of_log_gamma(shape))}, kDraws);
    const double mean = boost::math::digamma(shape) - std::log(shape);
    const double sd = std::sqrt(boost::math::trigamma(shape));
    EXPECT_NEAR((draws.mean() - mean) / sd, 0, 0.04) << shape;
    EXPECT_NEAR(std::sqrt((draws.array() - draws.mean()).square().mean()) / sd, 1, 0.02) << shape;
    std::sort(draws.data(), draws.data() + kDraws);
    const boost::math::gamma_distribution<> gamma(shape, 1 / shape);
    for (const double q : {0.05, 0.95}) {
      const double truth = std::log(boost::math::quantile(gamma, q));
      EXPECT_NEAR((draws(static_cast<Index>(q * kDraws), 0) - truth) / sd, 0, 0.04) << shape;
    }
  }
}

// The same in coordinates of its own: what chains move in is not what they report.
class LogGammaInPowers {
 public:
  explicit LogGammaInPowers(double shape)
      : shape_(shape), coordinates_(Vector::Zero(1), Vector::Constant(1, 0.3)) {}
  GradientEstimate estimate(const Vector& u, Rng& rng) const {
    return carried_to(coordinates_, u, LogGamma(shape_).estimate(psi(u), rng));
  }
  Vector psi(const Vector& u) const { return coordinates_.psi(u); }

 private:
  double shape_;
  Coordinates coordinates_;
};

// The logarithm of an exponential variable, as that of a parameter which hardly matters, at steps
// of 2: mean, sd and quantiles within 0.03 of a standard deviation. In psi steps would have to be
// 0.55.
TEST(Langevin, IsCloseOnALongTailInItsCoordinates) {
  const LogGammaInPowers target(1);
  constexpr int kDraws = 200000;
  Matrix draws = run(target, Vector::Zero(1), Matrix::Constant(1, 1, 1.1), Matrix::Zero(1, 1),
                     {.step = 2}, kDraws);
  const double mean = boost::math::digamma(1.0), sd = std::sqrt(boost::math::trigamma(1.0));
  EXPECT_NEAR((draws.mean() - mean) / sd, 0, 0.03);
  EXPECT_NEAR(std::sqrt((draws.array() - draws.mean()).square().mean()) / sd, 1, 0.03);
  std::sort(draws.data(), draws.data() + kDraws);
  for (const double q : {0.05, 0.95}) {
    const double truth = std::log(-std::log1p(-q));
    EXPECT_NEAR((draws(static_cast<Index>(q * kDraws), 0) - truth) / sd, 0, 0.03) << q;
  }
}

TEST(Langevin, RefreshesAMetricThatIsFarOffAndNoOther) {
  const Matrix covariance = some_covariance();
  const NoisyNormal target(covariance, 0.1);
  for (const double factor : {1.0, 0.05}) {
    Langevin<NoisyNormal> sampler(target, Vector::Zero(2), factor * covariance, Matrix::Zero(2, 2),
                                  {.step = 1.5, .warmup = 400});
    for (int i = 0; i < 400; ++i) {
      Rng rng = stream(9, 0, Purpose::transition, static_cast<std::uint64_t>(i));
      sampler.step(rng);
    }
    EXPECT_EQ(sampler.record().metric_refreshed, factor < 1) << factor;
    EXPECT_GT(sampler.metric()(0, 0), 0.3 * covariance(0, 0));
  }
}

// M is ten times too narrow along one axis of ten, so that warm-up shows few effective draws there:
// a scale that chance makes too wide must not make steps run away. Variances of 60 chains together
// within 20 %; each chain's below three times what they should be.
TEST(Langevin, StepsStaySafeWhereTheMetricWasRefreshed) {
  constexpr Index kParameters = 10;
  const NoisyNormal target(Matrix::Identity(kParameters, kParameters), 0.0);
  Vector scale = Vector::Ones(kParameters);
  scale(3) = 0.1;
  Vector together = Vector::Zero(kParameters);
  int refreshed = 0;
  constexpr int kChains = 60, kWarmup = 100, kDraws = 2000;
  for (int chain = 0; chain < kChains; ++chain) {
    Rng first = stream(15, chain, Purpose::start);
    Langevin<NoisyNormal> sampler(target, 2 * first.normal_vector(kParameters), scale.asDiagonal(),
                                  Matrix::Zero(kParameters, kParameters),
                                  {.step = 2.5, .warmup = kWarmup});
    Vector squares = Vector::Zero(kParameters);
    for (std::uint64_t i = 0; i < kWarmup + kDraws; ++i) {
      Rng rng = stream(16, chain, Purpose::transition, i);
      const Vector psi = sampler.step(rng).psi;
      if (i >= kWarmup) squares += psi.cwiseAbs2() / kDraws;
    }
    if (!sampler.record().metric_refreshed) continue;
    ++refreshed;
    EXPECT_LT(squares.maxCoeff(), 3) << chain;
    together += squares;
  }
  EXPECT_GT(refreshed, kChains / 2);
  EXPECT_LT((together / refreshed - Vector::Ones(kParameters)).cwiseAbs().maxCoeff(), 0.2);
}

// Far out on the steep side a log-gamma's gradient grows like exp(psi): cut to 1 + 6, a step of 1.5
// takes off 0.75 * 7 standard deviations and not thousands.
TEST(Langevin, SteepGradientsAreCutAndCounted) {
  const LogGamma target(4);
  Langevin<LogGamma> sampler(target, Vector::Constant(1, 10.0), Matrix::Constant(1, 1, 0.25),
                             Matrix::Zero(1, 1), {.step = 1.5, .warmup = 0});
  Rng rng = stream(12, 0, Purpose::transition);
  const double psi = sampler.step(rng).psi(0);
  EXPECT_NEAR(psi, 10 - 0.75 * 7 * 0.5, 2.5) << "five standard deviations of the noise";
  EXPECT_EQ(sampler.record().cut_drifts, 1);
}

TEST(Langevin, SteinsIdentityHolds) {
  const Matrix covariance = some_covariance();
  const NoisyNormal target(covariance, 0.2);
  Langevin<NoisyNormal> sampler(target, Vector::Zero(2), covariance, Matrix::Zero(2, 2),
                                {.step = 1.5, .warmup = 100});
  for (int i = 0; i < 20100; ++i) {
    Rng rng = stream(10, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    sampler.step(rng);
  }
  EXPECT_EQ(sampler.record().draws, 20000);
  const Matrix stein = sampler.record().stein(sampler.step_size());
  EXPECT_LT((stein - Matrix::Identity(2, 2)).cwiseAbs().maxCoeff(), 0.08);
}

// The logarithm of a gamma variable of shape 3 at steps of 2.5, twice what they should be: the
// identity is off, and no less than the variance.
TEST(Langevin, SteinsIdentitySeesStepsThatAreTooLong) {
  constexpr double kShape = 3;
  const LogGamma target(kShape);
  Langevin<LogGamma> sampler(target, Vector::Zero(1), Matrix::Constant(1, 1, 1 / kShape),
                             Matrix::Zero(1, 1), {.step = 2.5, .warmup = 0});
  constexpr int kDraws = 50000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    Rng rng = stream(17, 0, Purpose::transition, static_cast<std::uint64_t>(i));
    const double psi = sampler.step(rng).psi(0);
    sum += psi / kDraws;
    squares += psi * psi / kDraws;
  }
  const double wider = (squares - sum * sum) / boost::math::trigamma(kShape) - 1;
  EXPECT_GT(wider, 0.05);
  EXPECT_GT(sampler.record().stein(2.5)(0, 0) - 1, 0.9 * wider);
}

// 400 chains of 44 draws with steps of 0.4, 4.4 effective ones each: their own means take a quarter
// of the variance away, which is given back. False alarm below 1e-6: the mean's error is 0.03.
TEST(Langevin, SteinsIdentityHoldsForShortChainsOnAverage) {
  const NoisyNormal target(some_covariance(), 0.0);
  double sum = 0;
  for (std::uint64_t chain = 0; chain < 400; ++chain) {
    Langevin<NoisyNormal> sampler(target, Vector::Zero(2), some_covariance(), Matrix::Zero(2, 2),
                                  {.step = 0.4, .warmup = 30});
    for (std::uint64_t i = 0; i < 74; ++i) {
      Rng rng = stream(14, static_cast<int>(chain), Purpose::transition, i);
      sampler.step(rng);
    }
    sum += sampler.record().stein(0.4).trace() / 2;
    EXPECT_TRUE(std::isnan(sampler.record().stein(0.3)(0, 0))) << "3.3 effective draws";
  }
  EXPECT_NEAR(sum / 400, 1, 0.15);
}

// A restored chain goes on bit for bit.
TEST(Langevin, ItsArchiveIsTheWholeState) {
  const Matrix covariance = some_covariance();
  const NoisyNormal target(covariance, 0.3);
  const LangevinOptions options{.step = 1.5, .warmup = 30};
  const auto advance = [](auto& sampler, int from, int to) {
    Vector psi;
    for (int i = from; i < to; ++i) {
      Rng rng = stream(11, 0, Purpose::transition, static_cast<std::uint64_t>(i));
      psi = sampler.step(rng).psi;
    }
    return psi;
  };
  for (const int stop : {0, 1, 22, 23, 30, 45}) {
    Langevin<NoisyNormal> whole(target, Vector::Zero(2), covariance, Matrix::Zero(2, 2), options);
    const Vector expected = advance(whole, 0, 60);
    Langevin<NoisyNormal> first(target, Vector::Zero(2), covariance, Matrix::Zero(2, 2), options);
    advance(first, 0, stop);
    ArchiveWriter writer;
    writer(first);
    Langevin<NoisyNormal> second(target, Vector::Ones(2), covariance, Matrix::Zero(2, 2), options);
    ArchiveReader reader(writer.bytes());
    reader(second);
    EXPECT_EQ(advance(second, stop, 60), expected) << stop;
  }
}

}  // namespace
}  // namespace ulisse
