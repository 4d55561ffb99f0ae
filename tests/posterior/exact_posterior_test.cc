// The exact log posterior: values against plain Eigen, derivatives against finite differences, for
// every kernel.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>

#include "posterior/one_sided_hessian.h"
#include "support/derivatives.h"
#include "support/random_points.h"
#include "support/thread_counts.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;
using testing::gradient_of;
using testing::normal_matrix;

// log N(y | 0, K) with K from the reference backend.
double plain_log_likelihood(const Kernel& kernel, const Matrix& x, const Vector& y,
                            const Vector& psi) {
  const Index n = y.size();
  Matrix k(n, n);
  make_covariance(kernel, x, {.backend = "reference"})->at(psi)->apply(Matrix::Identity(n, n), k);
  const Eigen::LLT<Matrix> factor(k);
  return -Matrix(factor.matrixL()).diagonal().array().log().sum() - 0.5 * y.dot(factor.solve(y)) -
         0.5 * static_cast<double>(n) * std::log(2 * std::numbers::pi);
}

class ExactPosteriorOf : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr Index kRows = 60, kDimensions = 3;

  Kernel kernel() const { return parse_kernel(GetParam()); }

  Model model() const {
    return make_model(kernel(), kDimensions, {"sigma=half-normal(2)", "lambda=gamma(1.5,3)"});
  }

  // sigma near 1, tau near 0.3, lambda near 0.1
  Vector random_psi(unsigned seed) const {
    Vector psi = 0.5 * normal_matrix(model().parameter_count(), 1, seed);
    psi.array() -= 1.2;
    psi(0) += 1.2;
    psi(psi.size() - 1) -= 1;
    return psi;
  }

  Matrix x_ = normal_matrix(kRows, kDimensions, 1);
  Vector y_ = x_.col(0).array().sin() + 0.3 * normal_matrix(kRows, 1, 2).array();
};

TEST_P(ExactPosteriorOf, TheLikelihoodIsThatOfPlainAlgebra) {
  const ExactPosterior posterior(model(), x_, y_);
  EXPECT_EQ(posterior.size(), kRows);
  for (unsigned seed = 3; seed < 8; ++seed) {
    const Vector psi = random_psi(seed);
    const double expected = plain_log_likelihood(kernel(), x_, y_, psi);
    EXPECT_NEAR(posterior.log_likelihood(psi).value, expected, 1e-9 * std::abs(expected));
  }
}

TEST_P(ExactPosteriorOf, TheDensityIsLikelihoodTimesPrior) {
  const ExactPosterior posterior(model(), x_, y_);
  const Vector psi = random_psi(8);
  const double expected =
      posterior.log_likelihood(psi).value + posterior.model().log_prior(psi).value;
  EXPECT_DOUBLE_EQ(posterior.log_density(psi).value, expected);
  EXPECT_DOUBLE_EQ(posterior.log_density_and_gradient(psi).value, expected);
  EXPECT_EQ(posterior.log_density(psi).gradient.size(), 0);
}

TEST_P(ExactPosteriorOf, TheGradientMeetsFiniteDifferences) {
  for (const char* tau_prior :
       {"tau=gamma(1,1)", "tau=lognormal(-1,0.5)", "tau=inverse-gamma(2,1)"}) {
    const Model priors = make_model(kernel(), kDimensions, {tau_prior, "lambda=half-normal(0.4)"});
    const ExactPosterior posterior(priors, x_, y_);
    for (unsigned seed = 9; seed < 12; ++seed) {
      const Vector psi = random_psi(seed);
      const LogDensity density = posterior.log_density_and_gradient(psi);
      ASSERT_FALSE(density.rejected()) << density.rejection;
      const Vector numerical =
          gradient_of([&](const Vector& p) { return posterior.log_density(p).value; }, psi);
      EXPECT_LT((density.gradient - numerical).cwiseAbs().maxCoeff(), 1e-7 * (1 + numerical.norm()))
          << tau_prior << "\n"
          << density.gradient.transpose() << "\n"
          << numerical.transpose();
    }
  }
}

// Differences of values in both directions: (f(+,+) - f(+,-) - f(-,+) + f(-,-)) / 4h^2.
TEST_P(ExactPosteriorOf, TheHessianMeetsDifferencesOfValues) {
  const ExactPosterior posterior(model(), x_, y_);
  const Vector psi = random_psi(12);
  const Matrix hessian = posterior.hessian(psi);
  EXPECT_EQ(hessian, hessian.transpose());
  const double h = 1e-3;
  const auto value = [&](Index i, double up_i, Index j, double up_j) {
    Vector moved = psi;
    moved(i) += up_i * h;
    moved(j) += up_j * h;
    return posterior.log_density(moved).value;
  };
  for (Index i = 0; i < psi.size(); ++i) {
    for (Index j = 0; j <= i; ++j) {
      const double numerical =
          (value(i, 1, j, 1) - value(i, 1, j, -1) - value(i, -1, j, 1) + value(i, -1, j, -1)) /
          (4 * h * h);
      EXPECT_NEAR(hessian(i, j), numerical, 1e-4 * (1 + hessian.norm())) << i << ", " << j;
    }
  }
}

TEST_P(ExactPosteriorOf, TheHessianByHalfTheGradientsIsTheSameToWithinAThousandth) {
  const ExactPosterior posterior(model(), x_, y_);
  const Vector psi = random_psi(12);
  const Matrix both_sides = posterior.hessian(psi);
  int gradients = 0;
  const Matrix one_side =
      one_sided_hessian(posterior, psi, posterior.log_density_and_gradient(psi).gradient,
                        [&](double) { ++gradients; });
  EXPECT_EQ(gradients, psi.size());
  EXPECT_LT((one_side - both_sides).norm(), 1e-3 * both_sides.norm());
}

TEST_P(ExactPosteriorOf, ThreadsDoNotChangeASingleBit) {
  const Matrix x = normal_matrix(400, kDimensions, 13);
  const Vector y = normal_matrix(400, 1, 14), psi = random_psi(15);
  expect_same_bits_on_any_threads([&] {
    const LogDensity density = ExactPosterior(model(), x, y).log_density_and_gradient(psi);
    Vector all(density.gradient.size() + 1);
    all << density.value, density.gradient;
    return all;
  });
}

// A shift of the inputs changes nothing, up to the digits it costs the inputs themselves.
TEST_P(ExactPosteriorOf, OnlyDifferencesOfInputsMatter) {
  const Vector psi = random_psi(16);
  const double here = ExactPosterior(model(), x_, y_).log_density(psi).value;
  const double there = ExactPosterior(model(), x_.array() + 1e6, y_).log_density(psi).value;
  EXPECT_NEAR(there, here, 1e-6 * std::abs(here));
}

TEST_P(ExactPosteriorOf, OneRowIsEnough) {
  const ExactPosterior posterior(model(), x_.topRows(1), y_.head(1));
  const Vector psi = random_psi(17);
  const KernelParameters p = unpack(kernel(), model().layout.kernel_psi(psi), kDimensions);
  const double variance = variance_of(p) + model().noise_variance(psi);
  EXPECT_NEAR(posterior.log_likelihood(psi).value,
              -0.5 * (std::log(2 * std::numbers::pi * variance) + y_(0) * y_(0) / variance), 1e-12);
  EXPECT_TRUE(posterior.log_density_and_gradient(psi).gradient.allFinite());
}

std::string case_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ExactPosteriorOf,
                         ::testing::Values("rbf", "rbf-ard", "matern12", "matern12-ard", "matern32",
                                           "matern32-ard", "matern52", "matern52-ard"),
                         case_name);

}  // namespace
}  // namespace ulisse
