#include "predict/float_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/memory.h"
#include "covariance/dense_matrix.h"
#include "gradient/dense_factor.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

constexpr Index kCheckedPoints = 16;    // of the training points, for each psi
constexpr double kAllowedError = 0.01;  // of a variance, in noise variances

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

FloatPredictor::FloatPredictor(const Model& model, const Matrix& x, const Vector& y)
    : model_(model), x_(x), y_(y), cross_(model.kernel, x), weights_(Vector::Zero(y.size())) {
  const auto n = static_cast<double>(x.rows());
  check_memory(fmt::format("prediction from {} rows by a factor in float", x.rows()),
               bytes_of(n * n / 2));
}

void FloatPredictor::condition(const ConstVector& psi) {
  psi_ = psi;
  const Matrix x = centred(x_);
  lower_matrix(DenseOperator<float>(model_.kernel, x, psi), factor_);
  const DenseOperator<double> k(model_.kernel, x, psi);
  in_float_ = parallel_cholesky(factor_) == 0 && good_enough(k);
  if (in_float_) return;
  ++exact_draws_;
  if (!exact_) exact_ = std::make_unique<ExactPredictor>(model_, x_, y_);
  exact_->condition(psi);
}

// The weights, and what |L^-1 k|^2 is off by at some points. With s near K^-1 k and r = k - K s,
// k'K^-1 k lies between 2 k's - s'K s and that plus |r|^2 / lambda. The factor is that of K + E,
// and the error s'E s: at training points |s| is at most 1, elsewhere at most sqrt(sigma / lambda).
bool FloatPredictor::good_enough(const DenseOperator<double>& k) {
  const double lambda = k.parameters().lambda;
  const FactorInverse inverse(factor_);
  const SolveSummary solved = conjugate_gradients(
      k, &inverse, y_, weights_,
      {.tolerance = 1e-6 * lambda, .relative_tolerance = 1e-10, .max_iterations = 100});
  if (solved.stop != Stop::converged) {
    weights_.setZero();
    return false;
  }
  const Index n = k.size(), count = std::min(n, kCheckedPoints);
  Indices rows;
  for (Index i = 0; i < count; ++i) rows.push_back((2 * i + 1) * n / (2 * count));
  Matrix right(n, count), s(n, count), product(n, count);
  k.columns(rows, right);
  inverse.apply(right, s);
  k.apply(s, product);
  const Vector seen = whitened(right).cast<double>().colwise().squaredNorm().transpose();
  const Vector low = (2 * right - product).cwiseProduct(s).colwise().sum().transpose();
  const Vector gap = (right - product).colwise().squaredNorm().transpose() / lambda;
  const double elsewhere = std::max(1.0, k.parameters().sigma / lambda);
  const double error = elsewhere * ((seen - low).cwiseAbs() + gap).maxCoeff() / lambda;
  if (!(error < kAllowedError)) return false;
  variance_error_ = std::max(variance_error_, error);
  return true;
}

FloatMatrix FloatPredictor::whitened(const Matrix& k) const {
  FloatMatrix v = k.cast<float>();
  parallel_solve_left(false, factor_, v);
  return v;
}

Moments FloatPredictor::moments(const ConstBlock& new_x) const {
  if (!in_float_) return exact_->moments(new_x);
  Matrix k(cross_.size(), new_x.rows());
  cross_.at(psi_, new_x, k);
  Moments result{.mean = Vector(new_x.rows()), .variance = Vector(new_x.rows())};
  parallel_transposed_product(k, weights_, result.mean);
  const FloatMatrix v = whitened(k);
  const double sigma = unpack(model_.kernel, psi_, x_.cols()).sigma;
  for (Index i = 0; i < v.cols(); ++i) {
    result.variance(i) = std::max(0.0, sigma - v.col(i).cast<double>().squaredNorm());
  }
  return result;
}

Matrix FloatPredictor::covariance(const ConstBlock& new_x) const {
  if (!in_float_) return exact_->covariance(new_x);
  Matrix k(cross_.size(), new_x.rows());
  cross_.at(psi_, new_x, k);
  return covariance_given(model_.kernel, psi_, new_x, whitened(k).cast<double>());
}

}  // namespace ulisse
