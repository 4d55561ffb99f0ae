#include "predict/exact_predictor.h"

#include <fmt/format.h>

#include "base/blas.h"
#include "base/memory.h"
#include "predict/joint_covariance.h"
#include "solve/dense_factor.h"
#include "ulisse/error.h"

namespace ulisse {

ExactPredictor::ExactPredictor(const Model& model, const Matrix& x, const Vector& y)
    : f_(model, x, y), added_(f_.model(), x), points_(model.kernel, x) {
  const auto n = static_cast<double>(x.rows());
  check_memory(fmt::format("exact prediction from {} rows", x.rows()), bytes_of(n * n));
}

void ExactPredictor::condition(const ConstVector& psi) {
  added_.lower_matrix(DenseOperator<double>(points_, added_.model().layout.kernel_psi(psi)), psi,
                      factor_);
  if (parallel_cholesky(factor_) != 0) {
    throw InputError(
        "a draw's covariance is not positive definite in floating point: there is too little noise "
        "for so many rows");
  }
  Matrix weights = f_.right_sides();
  solve_left(Triangle::lower, false, factor_, weights);
  solve_left(Triangle::lower, true, factor_, weights);
  f_.condition(psi, weights);
}

Moments ExactPredictor::moments(const ConstBlock& new_x, const Component& part) const {
  Matrix v = f_.cross(new_x, part), spread;
  Moments result{.mean = f_.mean(new_x, part, v, spread), .variance = Vector()};
  parallel_solve_left(false, factor_, v);
  const Vector left = f_.variance(part) - v.colwise().squaredNorm().transpose().array();
  // Rounding must not make a variance negative.
  result.variance = left.cwiseMax(0) + spread.colwise().squaredNorm().transpose();
  return result;
}

Matrix ExactPredictor::covariance(const ConstBlock& new_x) const {
  Matrix v = f_.cross(new_x, everything()), spread;
  f_.mean(new_x, everything(), v, spread);
  parallel_solve_left(false, factor_, v);
  return covariance_given(f_.covariance(new_x, everything()), v, v, spread);
}

}  // namespace ulisse
