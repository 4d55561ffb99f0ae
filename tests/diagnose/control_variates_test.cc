// Means and standard deviations by control variates, on chains whose posterior is known.

#include "diagnose/control_variates.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "sample/langevin.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

// psi = R x, x independent logarithms of gamma variables of one shape, R a rotation: bends of 0.1
// to 0.3, as posteriors have for which steps are Langevin's. Gradients have noise of a share of the
// posterior's own scale, whose tails are heavy where `rare` is not 0.
struct RotatedLogGamma {
  double shape = 15, noise = 0.05, rare = 0;
  Matrix rotation;

  RotatedLogGamma(Index p, double of_shape) : shape(of_shape), rotation(rotation_of(p)) {}

  static Matrix rotation_of(Index p) {
    Rng rng = stream(3, 0, Purpose::simulation);
    Matrix normal(p, p);
    for (double& each : normal.reshaped()) each = rng.normal();
    return Eigen::HouseholderQR<Matrix>(normal).householderQ();
  }

  GradientEstimate estimate(const Vector& psi, Rng& rng) const {
    const Vector x = rotation.transpose() * psi;
    const double scale = std::sqrt(noise * shape) * (rng.uniform() < rare ? 10 : 1);
    GradientEstimate estimate{.covariance =
                                  noise * shape * Matrix::Identity(psi.size(), psi.size())};
    estimate.gradient = rotation * (shape - shape * x.array().exp()).matrix() +
                        scale * rng.normal_vector(psi.size());
    return estimate;
  }

  double mean(Index j) const {
    return rotation.row(j).sum() * (boost::math::digamma(shape) - std::log(shape));
  }
  double sd() const { return std::sqrt(boost::math::trigamma(shape)); }

  // E exp(power psi_j)
  double moment(Index j, double power) const {
    double log = 0;
    for (const double r : rotation.row(j)) {
      log += std::lgamma(shape + power * r) - std::lgamma(shape) - power * r * std::log(shape);
    }
    return std::exp(log);
  }
};

struct Simulated {
  std::vector<LangevinPath> paths;
  Matrix first;  // coordinate (draws, chains)
};

Simulated simulate(const RotatedLogGamma& target, int chains, int draws, double step,
                   std::uint64_t seed) {
  const Index p = target.rotation.rows();
  Simulated out;
  out.first.resize(draws, chains);
  for (int c = 0; c < chains; ++c) {
    Langevin<RotatedLogGamma> chain(target, Vector::Zero(p), Matrix::Identity(p, p) / target.shape,
                                    target.noise * target.shape * Matrix::Identity(p, p),
                                    {.step = step, .warmup = 100});
    LangevinPath path{.place = Matrix(draws, p), .noise = Matrix(draws, p)};
    for (int i = -100; i < draws; ++i) {
      Rng rng = stream(seed, static_cast<std::uint32_t>(c), Purpose::transition,
                       static_cast<std::uint64_t>(i + 100));
      const Transition made = chain.step(rng);
      if (i < 0) continue;
      path.place.row(i) = made.psi.transpose();
      path.noise.row(i) = made.injected.transpose();
      out.first(i, c) = made.psi(0);
    }
    path.metric = chain.metric();
    path.injected = chain.injected_covariance();
    path.step = chain.step_size();
    out.paths.push_back(std::move(path));
  }
  return out;
}

struct Score {
  double z_mean = 0, z_sd = 0;        // root mean squares of z-scores
  double gain_mean = 0, gain_sd = 0;  // errors of the draws alone over those reported, on average
};

struct Design {
  int chains = 4, draws = 300, replicates = 100;
  bool of_theta = false;  // exp(psi)
};

Score score(const RotatedLogGamma& target, const Design& design) {
  const double bend = 0.75 / std::sqrt(target.shape), n = design.replicates;
  const double first = target.moment(0, 1), second = target.moment(0, 2);
  const double true_mean = design.of_theta ? first : target.mean(0);
  const double true_sd = design.of_theta ? std::sqrt(second - first * first) : target.sd();
  Score s;
  for (int r = 0; r < design.replicates; ++r) {
    Simulated run = simulate(target, design.chains, design.draws, step_for(bend),
                             static_cast<std::uint64_t>(r));
    if (design.of_theta) run.first = run.first.array().exp();
    const ControlledMoments m = ControlVariates(run.paths).moments(run.first);
    s.z_mean += std::pow((m.mean.value - true_mean) / m.mean.error, 2) / n;
    s.z_sd += std::pow((m.sd.value - true_sd) / m.sd.error, 2) / n;
    s.gain_mean += mcse_mean(run.first) / m.mean.error / n;
    s.gain_sd += mcse_sd(run.first) / m.sd.error / n;
  }
  s.z_mean = std::sqrt(s.z_mean);
  s.z_sd = std::sqrt(s.z_sd);
  return s;
}

// The root mean square of 100 z-scores is 1 with an error of 0.07, and that of 40 one of 0.11: four
// of these to each side, a false alarm in 10,000, and a tenth for the bias of the steps.
void expect_true_errors(const Score& s, double wide) {
  EXPECT_GT(s.z_mean, 1 - wide);
  EXPECT_LT(s.z_mean, 1.1 + wide);
  EXPECT_GT(s.z_sd, 0.9 - wide);  // half of the distance of two estimates is more than their error
  EXPECT_LT(s.z_sd, 1.1 + wide);
}

TEST(ControlVariates, LessenErrorsAndTheErrorsAreTrue) {
  const Score s = score(RotatedLogGamma(3, 15), {});
  expect_true_errors(s, 0.28);
  EXPECT_GT(s.gain_mean, 4);
  EXPECT_GT(s.gain_sd, 2.5);
}

// Which is no polynomial of what chains move in.
TEST(ControlVariates, LessenErrorsOfParametersOnTheirNaturalScale) {
  const Score s = score(RotatedLogGamma(3, 15), {.of_theta = true});
  EXPECT_GT(s.z_mean, 0.72);
  EXPECT_LT(s.z_mean, 1.38);
  EXPECT_LT(s.z_sd, 1.6);  // that of the draws alone is 1.22: the chains' own tails
  EXPECT_GT(s.gain_mean, 4);
}

TEST(ControlVariates, LessenErrorsWithTenParameters) {
  const Score s = score(RotatedLogGamma(10, 25), {.replicates = 40});
  expect_true_errors(s, 0.44);
  EXPECT_GT(s.gain_mean, 4);
  EXPECT_GT(s.gain_sd, 2.5);
}

// 65 coefficients are too many for 90 draws: those of the gradient alone are left.
TEST(ControlVariates, FewDrawsHaveFewControls) {
  const Score s = score(RotatedLogGamma(10, 25), {.draws = 30, .replicates = 40});
  EXPECT_LT(s.z_mean, 1.5);
  EXPECT_GT(s.gain_mean, 2.5);
  EXPECT_LT(s.gain_sd, 1.2);
}

TEST(ControlVariates, OneChainIsCutIntoFolds) {
  const Score s = score(RotatedLogGamma(3, 15), {.chains = 1, .draws = 500});
  expect_true_errors(s, 0.28);
  EXPECT_GT(s.gain_mean, 3);
}

// Solves that are cut have rare and large errors. What they do to the chain stays in both; errors
// must not get smaller than that.
TEST(ControlVariates, RareLargeErrorsOfGradientsAreSeen) {
  RotatedLogGamma target(3, 15);
  target.rare = 0.01;
  const Score s = score(target, {});
  EXPECT_LT(s.z_mean, 1.4);
  EXPECT_LT(s.z_sd, 1.6);
}

TEST(ControlVariates, AFunctionTheyDoNotExplainKeepsTheNumbersOfTheDraws) {
  const Simulated run = simulate(RotatedLogGamma(3, 15), 4, 200, 2, 1);
  Rng rng = stream(2, 0, Purpose::simulation);
  Matrix other(200, 4);
  for (double& each : other.reshaped()) each = rng.normal();
  const ControlledMoments m = ControlVariates(run.paths).moments(other);
  EXPECT_FALSE(m.mean.controlled);
  EXPECT_FALSE(m.sd.controlled);
  EXPECT_EQ(m.mean.value, mean(other));
  EXPECT_EQ(m.mean.error, mcse_mean(other));
  EXPECT_EQ(m.sd.value, sd(other));
  EXPECT_EQ(m.sd.error, mcse_sd(other));
}

TEST(ControlVariates, PathsOfOtherSizesAreRefused) {
  Simulated run = simulate(RotatedLogGamma(2, 15), 2, 20, 2, 1);
  run.paths[1].noise.conservativeResize(10, 2);
  EXPECT_THROW(ControlVariates{run.paths}, std::invalid_argument);
}

}  // namespace
}  // namespace ulisse::diagnose
