// Leave-one-out of whole fits, against quadrature: p(y_i | y_-i) = p(y) / p(y_-i), each an integral
// over the only parameter that is free.

#include "ulisse/loo.h"

#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/pareto_smoothing.h"
#include "support/error_message.h"
#include "support/random_points.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

Dataset small_table(Index n) {
  Dataset data{.x = normal_matrix(n, 1, 1), .y = Vector(n), .features = {"a"}, .target = "y"};
  data.y = 20 + 5 * (1.5 * data.x.col(0).array()).sin() + normal_matrix(n, 1, 2).col(0).array();
  return data;
}

Model one_parameter(const Dataset& data, const std::string& kernel = "rbf") {
  return make_model(
      {.kernel = kernel, .priors = {"tau=gamma(2,2)"}, .fixed = {"sigma=1", "lambda=0.05"}}, data);
}

Fit fit_of(const Dataset& data, const Model& model) {
  return fit(data, model,
             {.sampler = "mh",
              .settings = {{"draws", 1000L}, {"warmup", 200L}, {"chains", 4L}, {"seed", 3L}}});
}

// log p(y) of scaled rows, by the trapezoidal rule over psi.
double log_evidence(const Model& model, const Matrix& x, const Vector& y) {
  constexpr Index kPoints = 2001;
  const ExactPosterior posterior(model, x, y);
  Vector density(kPoints);
  const double from = -12, step = 18.0 / (kPoints - 1);
  for (Index i = 0; i < kPoints; ++i) {
    const Vector psi = Vector::Constant(1, from + step * static_cast<double>(i));
    density(i) = posterior.log_density(psi).value;
  }
  return diagnose::log_sum_exp(density) + std::log(step);
}

class LooOfAFit : public ::testing::Test {
 protected:
  LooOfAFit()
      : scaling(standardisation_of(data)),
        model(scaled(one_parameter(data), scaling)),
        made(fit_of(data, one_parameter(data))),
        x(scaling.scale_x(data.x)),
        y(scaling.scale_y(data.y)),
        all(log_evidence(model, x, y)) {}

  double elpd_by_quadrature(Index left_out) const {
    Indices others;
    for (Index i = 0; i < y.size(); ++i) {
      if (i != left_out) others.push_back(i);
    }
    return all - log_evidence(model, x(others, Eigen::all), y(others)) - std::log(scaling.y_sd);
  }

  const Dataset data = small_table(25);
  Standardisation scaling;
  Model model;
  Fit made;
  Matrix x;
  Vector y;
  double all;
};

// The errors are the estimate's own; one in 25 beyond 4.5 of them has a chance of 2e-4.
TEST_F(LooOfAFit, EachRowIsARatioOfEvidences) {
  const Loo found = loo(made, {.draws = 4000});
  ASSERT_EQ(found.draws, 4000);
  ASSERT_EQ(found.chains, 4);
  EXPECT_EQ(found.bad_rows(), 0);
  double sum = 0;
  for (Index i = 0; i < y.size(); ++i) {
    const double truth = elpd_by_quadrature(i);
    EXPECT_NEAR(found.elpd(i), truth, 4.5 * found.elpd_mcse(i) + 1e-4) << i;
    EXPECT_LT(found.elpd_mcse(i), 0.05) << i;
    sum += truth;
  }
  EXPECT_NEAR(found.total_elpd().value, sum, 0.1);
  EXPECT_DOUBLE_EQ(found.looic().value, -2 * found.total_elpd().value);
  // One parameter is free; the function's own flexibility does not count where p is given psi.
  EXPECT_GT(found.total_p_loo().value, 0.1);
  EXPECT_LT(found.total_p_loo().value, 2);
}

TEST_F(LooOfAFit, TheEvidenceIsThatOfQuadrature) {
  const Evidence found = evidence(made, {.draws = 2000});
  const double truth = all - static_cast<double>(y.size()) * std::log(scaling.y_sd);
  EXPECT_NEAR(found.log.value, truth, 4.5 * found.log.error);
  EXPECT_LT(found.log.error, 0.02);
  EXPECT_LT(found.pareto_k, 0.7);
}

TEST_F(LooOfAFit, PredictionsAreOnTheTargetsOwnScale) {
  const Loo found = loo(made);
  EXPECT_EQ(found.draws, 500);
  EXPECT_EQ(found.observed, data.y);
  EXPECT_LT((found.mean - data.y).norm() / std::sqrt(25.0), 2.5);
  EXPECT_GT(found.sd.minCoeff(), 0.5);
  EXPECT_GT(found.below.minCoeff(), 0);
  EXPECT_LT(found.below.maxCoeff(), 1);
  for (Index i = 0; i < 25; ++i) {
    EXPECT_EQ(found.below(i) < 0.5, data.y(i) < found.mean(i)) << i;
  }
}

TEST_F(LooOfAFit, DifferencesAreOfTheSameRowsAndTheBestIsFirst) {
  const Loo smooth = loo(made);
  const Loo rough = loo(fit_of(data, one_parameter(data, "matern12")));
  const auto found = compare({rough, smooth});
  ASSERT_EQ(found.size(), 2U);
  const bool smooth_first = smooth.total_elpd().value > rough.total_elpd().value;
  EXPECT_EQ(found[0].which, smooth_first ? 1U : 0U);
  EXPECT_EQ(found[0].elpd.value, 0);
  const Vector difference =
      smooth_first ? Vector(rough.elpd - smooth.elpd) : Vector(smooth.elpd - rough.elpd);
  EXPECT_DOUBLE_EQ(found[1].elpd.value, difference.sum());
  const double variance = (difference.array() - difference.mean()).square().sum() / 24;
  EXPECT_DOUBLE_EQ(found[1].elpd.error, std::sqrt(25 * variance));
}

TEST_F(LooOfAFit, OtherRowsOrTargetsAreRefused) {
  const Loo one = loo(made, {.draws = 40});
  Dataset fewer = small_table(24);
  const Loo of_fewer = loo(fit_of(fewer, one_parameter(fewer)), {.draws = 40});
  EXPECT_TRUE(testing::contains(testing::message_of([&] {
                                  compare({one, of_fewer});
                                }),
                                "number 2 has 24, the first has 25"));
  Loo other = one;
  other.target = "z";
  EXPECT_TRUE(testing::contains(testing::message_of([&] {
                                  compare({one, other});
                                }),
                                "fits of 'y' and of 'z' cannot be compared"));
}

}  // namespace
}  // namespace ulisse
