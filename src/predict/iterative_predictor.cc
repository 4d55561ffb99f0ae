#include "predict/iterative_predictor.h"

#include <fmt/format.h>

#include "base/option_names.h"
#include "predict/joint_covariance.h"
#include "predict/require_solution.h"
#include "solve/usual_neighbours.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

// Of a variance's solve, times lambda: the error of the variance is its square.
constexpr double kResidual = 0.01, kResidualForLatent = 0.001;

}  // namespace

IterativePredictor::IterativePredictor(const Model& model, const Matrix& x, const Vector& y,
                                       const PredictorOptions& options)
    : options_(options),
      f_(model, x, y),
      covariance_(make_covariance(f_.model(), x, {.backend = exact_backend()})),
      weights_(Matrix::Zero(y.size(), f_.right_sides().cols())) {}

void IterativePredictor::condition(const ConstVector& psi) {
  k_ = covariance_->at(psi);
  if (!(k_->noise().minCoeff() > 0)) {
    throw InputError(fmt::format("iterative predictions need noise in every row; take {}",
                                 option_set("method", "exact")));
  }
  const long rank = std::min<long>(options_.rank, std::max<long>(1, k_->size() / 5));
  preconditioner_ = make_preconditioner(
      *k_, {.rank = rank, .neighbours = kUsualNeighbours, .seed = options_.seed});
  // A mean's error is k'K^-1 r, at most |k| |r| / the least noise.
  const double tolerance = 1e-6 * k_->noise().minCoeff();
  require_solution(conjugate_gradients(*k_, preconditioner_.get(), f_.right_sides(), weights_,
                                       {.tolerance = tolerance, .relative_tolerance = 1e-10}));
  f_.condition(psi, weights_);
}

IterativePredictor::Solutions IterativePredictor::solve(const ConstBlock& new_x,
                                                        const Component& part) const {
  Solutions s;
  s.right_sides = f_.cross(new_x, part);
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

Moments IterativePredictor::moments(const ConstBlock& new_x, const Component& part) const {
  const Solutions s = solve(new_x, part);
  Matrix spread;
  Moments result{.mean = f_.mean(new_x, part, s.right_sides, spread), .variance = Vector()};
  const Vector explained =
      s.right_sides_and_residuals.cwiseProduct(s.x).colwise().sum().transpose();
  const Vector left = f_.variance(part) - explained.array();
  result.variance = left.cwiseMax(0) + spread.colwise().squaredNorm().transpose();
  return result;
}

Matrix IterativePredictor::covariance(const ConstBlock& new_x) const {
  const Solutions s = solve(new_x, everything());
  Matrix spread;
  f_.mean(new_x, everything(), s.right_sides, spread);
  return covariance_given(f_.covariance(new_x, everything()), s.right_sides_and_residuals, s.x,
                          spread);
}

}  // namespace ulisse
