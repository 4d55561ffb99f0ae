// All backends and all solvers agree on random small problems. A failure is shrunk to the smallest
// problem that still fails, and printed with the configuration that repeats it, for the variable
// RC_PARAMS: RC_PARAMS="reproduce=..." or RC_PARAMS="seed=7 max_success=100000" for other problems.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "properties/random_problem.h"
#include "support/sanitized.h"
#include "ulisse/backend.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"
#include "ulisse/unbiased.h"

namespace ulisse {
namespace {

using testing::problems;
using testing::RandomProblem;

// The same problems each time, unless somebody asks for others.
const bool kConfigured = [] {
  const char* cases =
      testing::kSanitized ? "seed=20150706 max_success=100" : "seed=20150706 max_success=2000";
  return setenv("RC_PARAMS", cases, /*overwrite=*/0) == 0;
}();

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

double rounding(const RandomProblem& problem, const CovarianceOperator& k) {
  const double variance = k.kernel().variance() + k.noise()(0);
  return (40 + 4 * std::sqrt(double(problem.n))) * kEpsilon * variance;
}

// Without OpenCL on a processor, which compiles a program for each number of inputs: the
// conformance suite has it.
std::vector<std::string> backends() {
  std::vector<std::string> names;
  for (const auto& name : covariance_backends()) {
    if (worth_a_trial(backend_named(name))) names.push_back(name);
  }
  return names;
}

RC_GTEST_PROP(Agreement, OfProducts, ()) {
  const RandomProblem problem = *problems(150, -16);
  const Matrix x = problem.points(), v = problem.right_sides(0);
  const auto reference =
      make_covariance(problem.parsed_kernel(), x, {.backend = "reference"})->at(problem.psi());
  Matrix expected(v.rows(), v.cols());
  reference->apply(v, expected);
  for (const auto& backend : backends()) {
    for (const double tolerance : {1e-10, 1e-3}) {
      const auto k =
          make_covariance(problem.parsed_kernel(), x, {.backend = backend, .tolerance = tolerance})
              ->at(problem.psi());
      Matrix y(v.rows(), v.cols());
      k->apply(v, y);
      for (Index c = 0; c < v.cols(); ++c) {
        const double limit = (k->error_bound() + rounding(problem, *k)) * v.col(c).lpNorm<1>();
        const double off = (y.col(c) - expected.col(c)).lpNorm<Eigen::Infinity>();
        RC_LOG() << backend << ", column " << c << ": off by " << off << ", limit " << limit;
        RC_ASSERT(off <= limit);
      }
    }
  }
}

RC_GTEST_PROP(Agreement, OfDerivatives, ()) {
  const RandomProblem problem = *problems(150, -16);
  const Matrix x = problem.points(), u = problem.right_sides(0), v = problem.right_sides(1);
  const auto reference =
      make_covariance(problem.parsed_kernel(), x, {.backend = "reference"})->at(problem.psi());
  const Vector expected = reference->gradient_forms(u, v);
  double scale = 0;
  for (Index c = 0; c < u.cols(); ++c) scale += u.col(c).lpNorm<1>() * v.col(c).lpNorm<1>();
  for (const auto& backend : backends()) {
    const auto k =
        make_covariance(problem.parsed_kernel(), x, {.backend = backend, .tolerance = 1e-6})
            ->at(problem.psi());
    const double limit = (k->error_bound() + 2 * rounding(problem, *k)) * scale;
    const double off = (k->gradient_forms(u, v) - expected).lpNorm<Eigen::Infinity>();
    const double by_column =
        (k->gradient_forms_by_column(u, v).rowwise().sum() - expected).lpNorm<Eigen::Infinity>();
    RC_LOG() << backend << ": off by " << off << " and " << by_column << ", limit " << limit;
    RC_ASSERT(off <= limit);
    RC_ASSERT(by_column <= limit);
  }
}

// A residual of r means an error of at most |r| / lambda, the least eigenvalue or less.
class Solver {
 public:
  explicit Solver(const RandomProblem& problem) : problem_(problem), x_(problem.points()) {
    dense_ = at("dense");
    b_ = problem.right_sides(0);
    Matrix k(problem.n, problem.n);
    at("reference")->apply(Matrix::Identity(problem.n, problem.n), k);
    exact_ = k.llt().solve(b_);
  }

  std::unique_ptr<const CovarianceOperator> at(const std::string& backend) const {
    return make_covariance(problem_.parsed_kernel(), x_, {.backend = backend})->at(problem_.psi());
  }
  const CovarianceOperator& dense() const { return *dense_; }
  Index rank() const { return std::min(problem_.n, 20); }

  void expect_solved(const std::string& name, const CovarianceOperator& k,
                     const LinearOperator* preconditioner) const {
    Matrix found = Matrix::Zero(b_.rows(), b_.cols());
    CgOptions options{.tolerance = 0, .relative_tolerance = kTolerance};
    if (k.error_bound() > 0) {
      options.exact = dense_.get();
      options.check_drop = 1e-3;
      // Each correction starts anew; 200 n were too few on an AMD EPYC.
      options.max_iterations = 2000 * problem_.n;
    }
    const SolveSummary summary = conjugate_gradients(k, preconditioner, b_, found, options);
    RC_LOG() << name << ": " << to_string(summary.stop) << " " << summary.message;
    RC_ASSERT(summary.stop == Stop::converged);
    expect_near(name, found);
  }

  void expect_near(const std::string& name, const Matrix& found) const {
    const double lambda = dense_->noise()(0);
    for (Index c = 0; c < b_.cols(); ++c) {
      const double off = (found.col(c) - exact_.col(c)).norm();
      const double limit = 4 * kTolerance * b_.col(c).norm() / lambda;
      RC_LOG() << name << ", column " << c << ": off by " << off << ", limit " << limit;
      RC_ASSERT(off <= limit);
    }
  }

  const Matrix& b() const { return b_; }
  static constexpr double kTolerance = 1e-8;

 private:
  const RandomProblem& problem_;
  Matrix x_, b_, exact_;
  std::unique_ptr<const CovarianceOperator> dense_;
};

RC_GTEST_PROP(Agreement, OfBackendsInSolves, ()) {
  const RandomProblem problem = *problems(100, -12);
  const Solver solver(problem);
  for (const auto& backend : backends()) {
    solver.expect_solved(backend, *solver.at(backend), nullptr);
  }
}

RC_GTEST_PROP(Agreement, OfPreconditioners, ()) {
  const RandomProblem problem = *problems(100, -12);
  const Solver solver(problem);
  const double lambda = solver.dense().noise()(0);
  for (const Pivoting pivoting : {Pivoting::random, Pivoting::greedy}) {
    const LowRankPreconditioner low_rank(
        pivoted_cholesky(solver.dense(), {.rank = solver.rank(), .pivoting = pivoting}), lambda);
    solver.expect_solved("low rank", solver.dense(), &low_rank);
  }
  const ShiftedPreconditioner nested(
      solver.dense(), lambda, {.tolerance = 0, .relative_tolerance = 1e-10, .verify = false});
  solver.expect_solved("nested", solver.dense(), &nested);
}

// With weights that go on for ever ULISSE is CG.
RC_GTEST_PROP(Agreement, OfUlisseThatIsNotCut, ()) {
  const RandomProblem problem = *problems(100, -12);
  const Solver solver(problem);
  const auto rule = exponential_weights(1e-12);
  Rng rng = stream(problem.seed, 0, Purpose::truncation);
  const Matrix& b = solver.b();
  Matrix x = Matrix::Zero(b.rows(), b.cols());
  UnbiasedSummary summary;
  const UnbiasedOptions options{
      .early_stop = 0.1 * b.norm(),
      .rule = rule.get(),
      .cg = {.tolerance = 0, .relative_tolerance = Solver::kTolerance / 10, .verify = false}};
  const std::vector<int> once(static_cast<std::size_t>(b.cols()), 1);
  solver.expect_near("ULISSE",
                     unbiased_solve(solver.dense(), nullptr, b, x, once, options, rng, summary));
}

}  // namespace
}  // namespace ulisse
