// Models of which some parameters are fixed.

#include <gtest/gtest.h>

#include <cmath>

#include "support/derivatives.h"
#include "support/problem.h"
#include "ulisse/exact.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse {
namespace {

using testing::gradient_of;
using testing::Problem;

struct Fixed {
  std::string kernel, name;
  double theta;
};

void PrintTo(const Fixed& f, std::ostream* out) { *out << f.kernel << ", " << f.name; }

class FixedParameters : public ::testing::TestWithParam<Fixed> {
 protected:
  FixedParameters() : problem(GetParam().kernel, 120, 2) {
    problem.fix(GetParam().name, GetParam().theta);
  }

  Problem problem;
};

TEST_P(FixedParameters, ExactGradientsMeetFiniteDifferences) {
  const ExactPosterior posterior(problem.model, problem.x, problem.y);
  const Vector gradient = posterior.log_density_and_gradient(problem.psi).gradient;
  ASSERT_EQ(gradient.size(), problem.psi.size());
  const Vector numerical =
      gradient_of([&](const Vector& p) { return posterior.log_density(p).value; }, problem.psi);
  EXPECT_LT((gradient - numerical).norm(), 1e-6 * (1 + gradient.norm()));
}

TEST_P(FixedParameters, TheLikelihoodIsThatOfTheFreeModelThere) {
  const Model free = make_model(problem.model.kernel, 2);
  Vector psi(free.parameter_count());
  psi << problem.model.layout.kernel_psi(problem.psi), problem.model.layout.noise_psi(problem.psi);
  const double here =
      ExactPosterior(problem.model, problem.x, problem.y).log_likelihood(problem.psi).value;
  EXPECT_EQ(here, ExactPosterior(free, problem.x, problem.y).log_likelihood(psi).value);
}

// Rademacher probes that are the unit vectors times sqrt(n), all of them, leave no noise.
TEST_P(FixedParameters, GradientsFromSolvesAreTheExactOne) {
  const auto n = problem.y.size();
  const ExactPosterior posterior(problem.model, problem.x, problem.y);
  StochasticGradient gradient(problem.model, *problem.covariance, problem.y,
                              {.probes = static_cast<int>(n), .cg = testing::kTightSolves});
  GradientState state = gradient.state();
  state.probes = state.probe_weights = std::sqrt(static_cast<double>(n)) * Matrix::Identity(n, n);
  gradient.set_state(state);
  Rng rng = stream(1, 0, Purpose::truncation);
  const GradientEstimate estimate = gradient.estimate(problem.psi, rng);
  const Vector exact = posterior.log_density_and_gradient(problem.psi).gradient;
  ASSERT_EQ(estimate.gradient.size(), exact.size());
  EXPECT_EQ(estimate.covariance.rows(), exact.size());
  EXPECT_LT((estimate.gradient - exact).norm(), 1e-5 * (1 + exact.norm()));
}

TEST_P(FixedParameters, TheModeIsThatOfTheFreeParameters) {
  const ExactPosterior posterior(problem.model, problem.x, problem.y);
  const Mode mode = find_mode(posterior, problem.x, problem.y);
  EXPECT_TRUE(mode.converged) << mode.message;
  ASSERT_EQ(mode.psi.size(), problem.psi.size());
  for (Index j = 0; j < mode.psi.size(); ++j) {
    for (const double step : {-0.1, 0.1}) {
      Vector beside = mode.psi;
      beside(j) += step;
      EXPECT_LT(posterior.log_density(beside).value, mode.log_density) << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FixedParameters,
                         ::testing::Values(Fixed{"rbf", "tau", 0.8}, Fixed{"rbf", "sigma", 0.6},
                                           Fixed{"matern32", "lambda", 0.1},
                                           Fixed{"rbf-ard", "tau.1", 0.8},
                                           Fixed{"matern52-ard", "tau", 0.3}),
                         [](const auto& test) { return "Case" + std::to_string(test.index); });

// Without noise the matrix is that of the kernel alone, which a rough one keeps positive definite.
TEST(FixedParameter, NoNoiseAtAllHasAGradientAndAMode) {
  Problem problem("matern12", 60, 2);
  problem.fix("lambda", 0);
  const ExactPosterior posterior(problem.model, problem.x, problem.y);
  const Vector gradient = posterior.log_density_and_gradient(problem.psi).gradient;
  const Vector numerical =
      gradient_of([&](const Vector& p) { return posterior.log_density(p).value; }, problem.psi);
  ASSERT_EQ(gradient.size(), 2);
  EXPECT_LT((gradient - numerical).norm(), 1e-6 * (1 + gradient.norm()));
  EXPECT_TRUE(find_mode(posterior, problem.x, problem.y).converged);
}

}  // namespace
}  // namespace ulisse
