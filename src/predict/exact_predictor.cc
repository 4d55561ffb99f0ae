#include "predict/exact_predictor.h"

#include <fmt/format.h>

#include "base/blas.h"
#include "base/memory.h"
#include "kernel/dense_matrix.h"
#include "predict/joint_covariance.h"
#include "solve/dense_factor.h"
#include "ulisse/error.h"

namespace ulisse {

ExactPredictor::ExactPredictor(const Model& model, const Matrix& x, const Vector& y)
    : model_(model), x_(x), y_(y), cross_(model.kernel, x) {
  const auto n = static_cast<double>(x.rows());
  check_memory(fmt::format("exact prediction from {} rows", x.rows()), bytes_of(n * n));
}

void ExactPredictor::condition(const ConstVector& psi) {
  psi_ = psi;
  lower_matrix(DenseOperator<double>(model_.kernel, centred(x_), model_.layout.kernel_psi(psi)),
               model_.noise_diagonal(psi, x_), factor_);
  if (parallel_cholesky(factor_) != 0) {
    throw InputError(
        "a draw's covariance is not positive definite in floating point: there is too little noise "
        "for so many rows");
  }
  weights_ = y_;
  solve_left(Triangle::lower, false, factor_, weights_);
  solve_left(Triangle::lower, true, factor_, weights_);
}

Matrix ExactPredictor::whitened(const ConstBlock& new_x, Vector& mean) const {
  Matrix k(cross_.size(), new_x.rows());
  cross_.at(model_.layout.kernel_psi(psi_), new_x, k);
  mean.resize(new_x.rows());
  parallel_transposed_product(k, weights_, mean);
  parallel_solve_left(false, factor_, k);
  return k;
}

Moments ExactPredictor::moments(const ConstBlock& new_x) const {
  Moments result;
  const Matrix v = whitened(new_x, result.mean);
  const double sigma = model_.signal_variance(psi_);
  // Rounding must not make a variance negative.
  result.variance = (sigma - v.colwise().squaredNorm().transpose().array()).max(0);
  return result;
}

Matrix ExactPredictor::covariance(const ConstBlock& new_x) const {
  Vector mean;
  return covariance_by_factor(model_.kernel, model_.layout.kernel_psi(psi_), new_x,
                              whitened(new_x, mean));
}

}  // namespace ulisse
