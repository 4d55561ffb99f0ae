// Joint samples of the function have the moments that the textbook's formulas give, whatever the
// kernel, the method and the points.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/blas.h"
#include "predict/predictive_draws.h"
#include "support/problem.h"

namespace ulisse {
namespace {

using testing::normal_matrix;
using testing::Problem;
using Precise = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// The chance that a right program fails in one of the three comparisons of one case. There are
// three methods with nine cases each: 1e-4 for this file, and the seeds are fixed.
constexpr double kFalseAlarm = 1e-6;

// A normal variable is beyond it with probability exp(-z^2 / 2) at most: none of `comparisons` is
// but for one time in kFalseAlarm.
double limit_for(double comparisons) { return std::sqrt(2 * std::log(comparisons / kFalseAlarm)); }

struct Case {
  const char* kernel;
  Index points;  // before duplicates and training points
  double noise;  // variance
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << fmt::format("{}, {} points, noise {}", c.kernel, c.points, c.noise);
}

Precise plain_covariance(const Kernel& kernel, const Vector& psi, const Matrix& a,
                         const Matrix& b) {
  const KernelParameters p = unpack(kernel, psi.head(kernel.parameter_count(a.cols())), a.cols());
  Precise k(a.rows(), b.rows());
  for (Index j = 0; j < b.rows(); ++j) {
    for (Index i = 0; i < a.rows(); ++i) {
      k(i, j) = evaluate(kernel, p, a.row(i), b.row(j)).value;
    }
  }
  return k;
}

// By dense formulas in long double.
struct Textbook {
  Textbook(const Problem& problem, const Vector& psi, const Matrix& new_x) {
    const Kernel& kernel = problem.model.kernel;
    Precise k = plain_covariance(kernel, psi, problem.x, problem.x);
    k.diagonal().array() += std::exp(psi(psi.size() - 1));
    const Precise cross = plain_covariance(kernel, psi, problem.x, new_x);
    const Precise solved = k.llt().solve(cross);
    mean = (solved.transpose() * problem.y.cast<long double>()).cast<double>();
    Precise c = plain_covariance(kernel, psi, new_x, new_x);
    c.noalias() -= cross.transpose() * solved;
    covariance = c.cast<double>();
    sd = covariance.diagonal().cwiseSqrt();
  }

  Vector mean, sd;
  Matrix covariance;
};

class JointSamples : public ::testing::TestWithParam<std::tuple<const char*, Case>> {
 protected:
  static constexpr int kSamples = 1500;

  JointSamples()
      : method(std::get<0>(GetParam())),
        problem(about().kernel, 80, problem_inputs()),
        psi(problem.psi) {
    psi(0) = 0;
    psi(psi.size() - 1) = std::log(about().noise);
  }

  static const Case& about() { return std::get<1>(GetParam()); }
  static Index problem_inputs() { return std::string(about().kernel).ends_with("-ard") ? 2 : 1; }

  // A grid along the first input, some of its points twice, some training points, some of these
  // twice.
  Matrix points() const {
    const Index m = about().points, some = 3;
    Matrix all(m + 3 * some, problem.x.cols());
    all.setConstant(0.3);
    all.col(0).head(m) = Vector::LinSpaced(m, -2, 2);
    all.middleRows(m, some) = all.middleRows(m / 2, some);
    all.middleRows(m + some, some) = problem.x.topRows(some);
    all.bottomRows(some) = problem.x.topRows(some);
    return all;
  }

  PredictiveDraws samples_at(const Matrix& new_x) const {
    const auto predictor =
        make_predictor(problem.model, problem.x, problem.y,
                       {.method = method, .points = some_rows(new_x), .latent = true});
    const SavedFit fit{.data = {.x = problem.x, .y = problem.y, .features = {}, .target = "y"},
                       .scaling = identity_standardisation(problem.x.cols()),
                       .model = problem.model,
                       .psi = psi.transpose(),
                       .mode = psi};
    PredictiveDraws found =
        predictive_draws(fit, new_x, psi.transpose(), *predictor, {.samples = kSamples}, 7);
    EXPECT_EQ(predictor->name(), method);  // float falls back on exact where it is too rough
    return found;
  }

  // Variances are too large by so much, at most.
  double error() const {
    return method == "exact" ? 1e-12 : (method == "float" ? 1e-8 : 1e-6) * about().noise;
  }

  void expect_means(const Textbook& right, const Matrix& apart) const;
  void expect_spread(const Textbook& right, const Matrix& apart) const;
  void expect_same_at_the_same_point(const Matrix& samples) const;

  const std::string method;
  Problem problem;
  Vector psi;
};

// (x / expected)^(1/3), for a chi-squared variable over its degrees of freedom, is as good as
// normal far into its tails (Wilson and Hilferty).
double variance_score(double variance, double expected, double samples) {
  const double step = 2 / (9 * samples);
  return (std::cbrt(variance / expected) - (1 - step)) / std::sqrt(step);
}

void JointSamples::expect_means(const Textbook& right, const Matrix& apart) const {
  const Vector z = apart.rowwise().mean().cwiseQuotient(right.sd) * std::sqrt(double(kSamples));
  EXPECT_LT(z.cwiseAbs().maxCoeff(), limit_for(double(z.size())));
}

// Standard deviations, and correlations by Fisher's z. Correlations next to 1 are divided by 1 +
// the error that variances may have, which brings z of samples and textbook nearer to each other,
// never farther apart.
void JointSamples::expect_spread(const Textbook& right, const Matrix& apart) const {
  const Index m = apart.rows();
  Matrix spread(m, m);
  parallel_product(1.0 / kSamples, apart, Matrix(apart.transpose()), 0, spread);
  double worst_sd = 0, worst_correlation = 0;
  const double shrink = 1 + error() / right.sd.cwiseAbs2().minCoeff();
  for (Index j = 0; j < m; ++j) {
    const double z = variance_score(spread(j, j), right.covariance(j, j), kSamples);
    worst_sd = std::max(worst_sd, std::abs(z));
    for (Index i = j + 1; i < m; ++i) {
      const double seen = spread(i, j) / std::sqrt(spread(i, i) * spread(j, j));
      const double expected = right.covariance(i, j) / (right.sd(i) * right.sd(j));
      const double apart_by = std::atanh(seen / shrink) - std::atanh(expected / shrink);
      worst_correlation = std::max(worst_correlation, std::abs(apart_by) * std::sqrt(kSamples - 3));
    }
  }
  EXPECT_LT(worst_sd, limit_for(double(m)));
  EXPECT_LT(worst_correlation, limit_for(0.5 * double(m * m)));
}

void JointSamples::expect_same_at_the_same_point(const Matrix& samples) const {
  const auto apart = [&](Index first, Index second) {
    return (samples.middleRows(first, 3) - samples.middleRows(second, 3)).cwiseAbs().maxCoeff();
  };
  const Index m = about().points;
  const double allowed = 6 * std::sqrt(2 * error());
  EXPECT_LT(apart(m / 2, m), allowed);
  EXPECT_LT(apart(m + 3, m + 6), allowed);
}

TEST_P(JointSamples, HaveTheTextbooksMoments) {
  const Matrix new_x = points();
  const Textbook right(problem, psi, new_x);
  const PredictiveDraws found = samples_at(new_x);
  ASSERT_GT(right.sd.minCoeff(), 1e-4);
  const Matrix apart = found.samples.colwise() - right.mean;
  expect_means(right, apart);
  expect_spread(right, apart);
  expect_same_at_the_same_point(found.samples);
  // And the column beside them: the check of float allows for 2 % of the function's own variance.
  const Vector ratio = found.latent.col(0).cwiseQuotient(right.sd);
  EXPECT_LT((ratio.array() - 1).abs().maxCoeff(), method == "float" ? 0.01 : 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, JointSamples,
    ::testing::Combine(::testing::Values("exact", "float", "iterative"),
                       ::testing::Values(Case{"rbf", 10, 0.2}, Case{"rbf", 181, 0.01},
                                         Case{"rbf", 1000, 0.01}, Case{"rbf-ard", 300, 0.2},
                                         Case{"matern12", 300, 0.05}, Case{"matern32", 181, 0.01},
                                         Case{"matern32-ard", 100, 0.2},
                                         Case{"matern52", 300, 0.01},
                                         Case{"matern52-ard", 10, 0.001})));

}  // namespace
}  // namespace ulisse
