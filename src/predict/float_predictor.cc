#include "predict/float_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "predict/joint_covariance.h"
#include "predict/require_solution.h"
#include "solve/dense_factor.h"
#include "ulisse/backend.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

constexpr double kErrorFactorElsewhere = 10;  // of the largest error at the points measured
constexpr double kMaxErrorInNoiseVariances = 0.01;
// Where the variance of the function itself is asked for.
constexpr double kMaxErrorInSignalVariances = 0.02;

constexpr int kMaxIterations = 100;  // of solves that the factor leaves hardly anything to do

// Of the solves for a joint covariance, times lambda: variances, also of differences between
// points, are too large by at most its square.
constexpr double kJointResidual = 1e-4;
constexpr Index kSolvedTogether = 256;

// (L L')^-1
class FactorInverse : public LinearOperator {
 public:
  explicit FactorInverse(const FloatMatrix& factor) : factor_(factor) {}
  Index size() const override { return factor_.rows(); }
  void apply(const ConstBlock& x, Block y) const override {
    FloatMatrix solved = x.cast<float>();
    parallel_solve_left(false, factor_, solved);
    parallel_solve_left(true, factor_, solved);
    y = solved.cast<double>();
  }

 private:
  const FloatMatrix& factor_;
};

}  // namespace

FloatPredictor::FloatPredictor(const Model& model, const Matrix& x, const Vector& y,
                               const PredictorOptions& options)
    : model_(model),
      x_(x),
      y_(y),
      training_(model.kernel, x),
      points_(options.points.rows() > 0 ? options.points : some_rows(x)),
      new_points_(options.points.rows() > 0),
      latent_(options.latent),
      f_(model, x, y),
      added_(f_.model(), x),
      covariance_(make_covariance(f_.model(), x, {.backend = exact_backend()})),
      weights_(Matrix::Zero(y.size(), f_.right_sides().cols())) {
  const auto n = static_cast<double>(x.rows());
  check_memory(fmt::format("prediction from {} rows by a factor in float", x.rows()),
               bytes_of(n * n / 2));
}

void FloatPredictor::condition(const ConstVector& psi) {
  psi_ = psi;
  const auto in_double = covariance_->at(psi);
  const CovarianceOperator& k = *in_double;
  added_.lower_matrix(DenseOperator<float>(training_, model_.layout.kernel_psi(psi)), psi, factor_);
  in_float_ = parallel_cholesky(factor_) == 0 && solve_for_weights(k) && good_enough(k);
  if (in_float_) return;
  ++exact_draws_;
  if (!exact_) exact_ = std::make_unique<ExactPredictor>(model_, x_, y_);
  exact_->condition(psi);
}

bool FloatPredictor::solve_for_weights(const CovarianceOperator& k) {
  const FactorInverse inverse(factor_);
  const SolveSummary solved = conjugate_gradients(k, &inverse, f_.right_sides(), weights_,
                                                  {.tolerance = 1e-6 * k.noise().minCoeff(),
                                                   .relative_tolerance = 1e-10,
                                                   .max_iterations = kMaxIterations});
  if (solved.stop != Stop::converged) {
    weights_.setZero();
    return false;
  }
  f_.condition(psi_, weights_);
  return true;
}

// The error of |L^-1 k|^2 at some points. With s near K^-1 k and r = k - K s, k'K^-1 k lies
// between 2 k's - s'K s and that plus |r|^2 / lambda. The factor is that of K + E, and the error
// s'E s. At points like those asked for, errors are like those measured. From training points alone
// it is |E|, at least the error measured over |s|^2, times the largest |s|^2 that there can be,
// sigma / lambda.
bool FloatPredictor::good_enough(const CovarianceOperator& k) {
  const double lambda = k.noise().minCoeff(), sigma = k.kernel().variance();
  const Index n = k.size(), count = points_.rows();
  const Matrix right = f_.cross(points_, everything());
  Matrix s(n, count), product(n, count);
  FactorInverse(factor_).apply(right, s);
  k.apply(s, product);
  const Vector computed = whitened(right).cast<double>().colwise().squaredNorm().transpose();
  const Vector low = (2 * right - product).cwiseProduct(s).colwise().sum().transpose();
  const Vector gap = (right - product).colwise().squaredNorm().transpose() / lambda;
  Vector error = kErrorFactorElsewhere * ((computed - low).cwiseAbs() + gap);
  if (!new_points_) {
    const Vector lengths = s.colwise().squaredNorm().transpose();
    error.array() *= std::max(1.0, sigma / lambda) / lengths.array().max(1e-300);
  }
  const bool small = error.maxCoeff<Eigen::PropagateNaN>() < kMaxErrorInNoiseVariances * lambda;
  const bool small_for_f =
      !latent_ ||
      (error.array() <= kMaxErrorInSignalVariances * (sigma - low.array()).max(0)).all();
  if (!small || !small_for_f) return false;
  variance_error_ = std::max(variance_error_, error.maxCoeff() / lambda);
  return true;
}

FloatMatrix FloatPredictor::whitened(const Matrix& k) const {
  FloatMatrix v = k.cast<float>();
  parallel_solve_left(false, factor_, v);
  return v;
}

Moments FloatPredictor::moments(const ConstBlock& new_x, const Component& part) const {
  if (!in_float_) return exact_->moments(new_x, part);
  const Matrix k = f_.cross(new_x, part);
  Matrix spread;
  Moments result{.mean = f_.mean(new_x, part, k, spread), .variance = Vector(new_x.rows())};
  const FloatMatrix v = whitened(k);
  const double sigma = f_.variance(part);
  for (Index i = 0; i < v.cols(); ++i) {
    result.variance(i) =
        std::max(0.0, sigma - v.col(i).cast<double>().squaredNorm()) + spread.col(i).squaredNorm();
  }
  return result;
}

Matrix FloatPredictor::covariance(const ConstBlock& new_x) const {
  if (!in_float_) return exact_->covariance(new_x);
  const auto in_double = covariance_->at(psi_);
  const CovarianceOperator& k = *in_double;
  const FactorInverse inverse(factor_);
  const Matrix right = f_.cross(new_x, everything());
  Matrix solutions = Matrix::Zero(right.rows(), right.cols()), spread;
  f_.mean(new_x, everything(), right, spread);
  Matrix product(right.rows(), right.cols());
  for (Index start = 0; start < right.cols(); start += kSolvedTogether) {
    const Index count = std::min(kSolvedTogether, right.cols() - start);
    auto own = solutions.middleCols(start, count);
    require_solution(conjugate_gradients(
        k, &inverse, right.middleCols(start, count), own,
        {.tolerance = kJointResidual * k.noise().minCoeff(), .max_iterations = kMaxIterations}));
    k.apply(own, product.middleCols(start, count));
  }
  return covariance_given(f_.covariance(new_x, everything()), 2 * right - product, solutions,
                          spread);
}

}  // namespace ulisse
