// Models with everything, by chance: sums of products on numbers, circles and categories, a trend,
// known noise and fixed parameters. Densities against a textbook's formula in long double,
// gradients against finite differences, estimates against exact gradients.

#include <gtest/gtest.h>

#include "support/derivatives.h"
#include "support/plain_model.h"
#include "support/problem.h"
#include "support/random_kernels.h"
#include "support/sanitized.h"
#include "support/statistics.h"
#include "support/thread_counts.h"
#include "ulisse/exact.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse {
namespace {

using testing::mixed_table;
using testing::random_model;
using testing::random_psi;

constexpr unsigned kCompositeModels = testing::kSanitized ? 10 : 40;

TEST(CompositePosterior, TheLikelihoodIsATextbooksInLongDouble) {
  for (unsigned seed = 0; seed < kCompositeModels; ++seed) {
    const Dataset data = mixed_table(50, seed);
    const Model model = random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const Vector psi = random_psi(model, seed);
    const auto expected =
        static_cast<double>(testing::PlainModel(model, psi).log_likelihood(data.x, data.y));
    const ExactPosterior posterior(model, data.x, data.y);
    EXPECT_NEAR(posterior.log_likelihood(psi).value, expected, 1e-10 * std::abs(expected));
    EXPECT_NEAR(posterior.log_density(psi).value, expected + model.log_prior(psi).value,
                1e-10 * std::abs(expected));
  }
}

TEST(CompositePosterior, TheGradientMeetsFiniteDifferences) {
  for (unsigned seed = 0; seed < kCompositeModels; ++seed) {
    const Dataset data = mixed_table(60, seed);
    const Model model = random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const ExactPosterior posterior(model, data.x, data.y);
    const Vector psi = random_psi(model, seed);
    const Vector gradient = posterior.log_density_and_gradient(psi).gradient;
    ASSERT_EQ(gradient.size(), model.parameter_count());
    const Vector numerical =
        testing::gradient_of([&](const Vector& p) { return posterior.log_density(p).value; }, psi);
    for (Index j = 0; j < psi.size(); ++j) {
      EXPECT_NEAR(gradient(j), numerical(j), 1e-7 * std::max(1.0, std::abs(numerical(j))))
          << model.layout.at(j).name;
    }
  }
}

// The rows' own noise is all there is.
TEST(CompositePosterior, LambdaMayBeZeroWhereRowsHaveTheirNoise) {
  const Dataset data = mixed_table(40, 3);
  const Model model = make_model(
      ModelOptions{
          .kernel = "rbf(east) + matern12(day)", .fixed = {"lambda=0"}, .trend = {"north"}},
      data);
  EXPECT_EQ(model.parameter_count(), 4);
  const Vector psi = random_psi(model, 3);
  const ExactPosterior posterior(model, data.x, data.y);
  const auto expected =
      static_cast<double>(testing::PlainModel(model, psi).log_likelihood(data.x, data.y));
  EXPECT_NEAR(posterior.log_likelihood(psi).value, expected, 1e-10 * std::abs(expected));
  const Vector numerical =
      testing::gradient_of([&](const Vector& p) { return posterior.log_density(p).value; }, psi);
  EXPECT_LE((posterior.log_density_and_gradient(psi).gradient - numerical).norm(), 1e-6);
}

// A prior of 1e6 on standardised columns knows nothing; nothing is lost to it. K + H B H' itself
// would lose fifteen digits: Woodbury's formula and the determinant lemma, in long double.
TEST(CompositePosterior, AWideTrendLosesNoDigits) {
  const Dataset data = mixed_table(50, 4);
  ModelOptions options{.kernel = "matern32(east,north)*rbf(day)", .trend = {"linear"}};
  options.trend_scale = 1e6;
  const Model model = make_model(options, data);
  const Vector psi = random_psi(model, 4);
  const testing::PlainModel plain(model, psi);
  const testing::ExtendedMatrix h = plain.basis(data.x);
  const testing::ExtendedVector y = data.y.cast<testing::Extended>();
  const Eigen::LLT<testing::ExtendedMatrix> k(plain.covariance(data.x, false));
  testing::ExtendedMatrix a = h.transpose() * k.solve(h);
  a.diagonal().array() += 1 / plain.prior_variance();
  const testing::ExtendedVector right = h.transpose() * k.solve(y);
  const testing::ExtendedMatrix l = k.matrixL();
  const testing::Extended determinant = 2 * l.diagonal().array().log().sum() +
                                        std::log(a.determinant()) +
                                        4 * std::log(plain.prior_variance());
  const testing::Extended expected =
      -(determinant + y.dot(k.solve(y)) - right.dot(a.llt().solve(right)) +
        50 * std::log(2 * std::numbers::pi_v<testing::Extended>)) /
      2;
  ASSERT_EQ(model.mean.size(), 4);
  EXPECT_NEAR(ExactPosterior(model, data.x, data.y).log_likelihood(psi).value,
              static_cast<double>(expected), 1e-10 * std::abs(static_cast<double>(expected)));
}

TEST(CompositePosterior, ThreadsDoNotChangeASingleBit) {
  const Dataset data = mixed_table(300, 5);
  for (const unsigned seed : {2U, 4U, 7U}) {
    const Model model = random_model(seed, data);
    const ExactPosterior posterior(model, data.x, data.y);
    const Vector psi = random_psi(model, seed);
    testing::expect_same_bits_on_any_threads([&] {
      const LogDensity density = posterior.log_density_and_gradient(psi);
      return std::pair(density.value, density.gradient);
    });
  }
}

// 30 models of some 6 parameters: a false alarm once in 5,000 for all of them.
TEST(CompositePosterior, StochasticGradientsAreUnbiased) {
  for (unsigned seed = 0; seed < (testing::kSanitized ? 2U : 30U); ++seed) {
    const Dataset data = mixed_table(60, seed);
    const Model model = random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const Vector psi = random_psi(model, seed);
    const auto covariance = make_covariance(model, data.x, {.backend = "dense"});
    const auto k = covariance->at(psi);
    const auto kind = seed % 2 == 0 ? ProbeKind::preconditioned : ProbeKind::rademacher;
    StochasticGradient gradient(
        model, *covariance, data.y,
        {.probes = 4, .kind = kind, .q = 0.1, .rule = parse_truncation("exp(1)"), .y_pairs = 2});
    gradient.set_preconditioner(
        std::make_shared<LowRankPreconditioner>(pivoted_cholesky(*k, {.rank = 30}), k->noise()));
    constexpr int kCount = testing::repeats(400, 50);
    Matrix estimates(model.parameter_count(), kCount);
    for (int i = 0; i < kCount; ++i) {
      Rng probes = stream(seed, 0, Purpose::probes, static_cast<std::uint64_t>(i));
      Rng truncation = stream(seed, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
      gradient.forget_solutions();
      gradient.draw_probes(probes);
      estimates.col(i) = gradient.estimate(psi, truncation).gradient;
    }
    const Vector truth =
        ExactPosterior(model, data.x, data.y).log_density_and_gradient(psi).gradient;
    const Matrix spread = testing::covariance_of(estimates);
    for (Index j = 0; j < truth.size(); ++j) {
      const double z =
          testing::z_score(estimates.row(j).transpose(), truth(j), std::sqrt(spread(j, j)));
      EXPECT_LT(std::abs(z), testing::kOneInAMillion) << model.layout.at(j).name;
    }
  }
}

}  // namespace
}  // namespace ulisse
