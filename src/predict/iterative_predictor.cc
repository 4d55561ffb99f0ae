#include "predict/iterative_predictor.h"

#include "base/blas.h"
#include "predict/joint_covariance.h"
#include "predict/require_solution.h"
#include "ulisse/backend.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

// Of a variance's solve, times lambda: the error of the variance is its square.
constexpr double kResidual = 0.01, kResidualForLatent = 0.001;

}  // namespace

IterativePredictor::IterativePredictor(const Model& model, const Matrix& x, const Vector& y,
                                       const PredictorOptions& options)
    : model_(model),
      y_(y),
      options_(options),
      cross_(model.kernel, x),
      covariance_(make_covariance(model, x, {.backend = exact_backend()})),
      weights_(Vector::Zero(y.size())) {}

void IterativePredictor::condition(const ConstVector& psi) {
  psi_ = psi;
  k_ = covariance_->at(psi);
  const long rank = std::min<long>(options_.rank, std::max<long>(1, y_.size() / 5));
  preconditioner_ = std::make_shared<LowRankPreconditioner>(
      pivoted_cholesky(*k_, {.rank = rank, .seed = options_.seed}), k_->noise());
  // A mean's error is k'K^-1 r, at most |k| |r| / the least noise.
  const double tolerance = 1e-6 * k_->noise().minCoeff();
  require_solution(conjugate_gradients(*k_, preconditioner_.get(), y_, weights_,
                                       {.tolerance = tolerance, .relative_tolerance = 1e-10}));
}

IterativePredictor::Solutions IterativePredictor::solve(const ConstBlock& new_x) const {
  Solutions s;
  s.right_sides.resize(cross_.size(), new_x.rows());
  cross_.at(model_.layout.kernel_psi(psi_), new_x, s.right_sides);
  s.x = Matrix::Zero(s.right_sides.rows(), s.right_sides.cols());
  // Verified: the residuals are the true ones, at most so large.
  const double tolerance =
      (options_.latent ? kResidualForLatent : kResidual) * k_->noise().minCoeff();
  for (Index start = 0; start < s.x.cols(); start += batch()) {
    const Index count = std::min(batch(), s.x.cols() - start);
    require_solution(conjugate_gradients(*k_, preconditioner_.get(),
                                         s.right_sides.middleCols(start, count),
                                         s.x.middleCols(start, count), {.tolerance = tolerance}));
  }
  s.right_sides_and_residuals.resize(s.x.rows(), s.x.cols());
  for (Index start = 0; start < s.x.cols(); start += batch()) {
    const Index count = std::min(batch(), s.x.cols() - start);
    k_->apply(s.x.middleCols(start, count), s.right_sides_and_residuals.middleCols(start, count));
  }
  s.right_sides_and_residuals = 2 * s.right_sides - s.right_sides_and_residuals;
  return s;
}

Moments IterativePredictor::moments(const ConstBlock& new_x) const {
  const Solutions s = solve(new_x);
  Moments result;
  result.mean.resize(new_x.rows());
  parallel_transposed_product(s.right_sides, weights_, result.mean);
  const Vector explained =
      s.right_sides_and_residuals.cwiseProduct(s.x).colwise().sum().transpose();
  result.variance = (k_->kernel().variance() - explained.array()).max(0);
  return result;
}

Matrix IterativePredictor::covariance(const ConstBlock& new_x) const {
  const Solutions s = solve(new_x);
  return covariance_by_solutions(model_.kernel, model_.layout.kernel_psi(psi_), new_x, s.x,
                                 s.right_sides_and_residuals);
}

}  // namespace ulisse
