#include "predict/joint_covariance.h"

#include "base/blas.h"
#include "kernel/cross.h"

namespace ulisse {

namespace {

Matrix given(const Kernel& kernel, const ConstVector& psi, const ConstBlock& new_x, const Matrix& a,
             const Matrix& b) {
  Matrix result(new_x.rows(), new_x.rows()), explained(result.rows(), result.cols());
  CrossCovariance(kernel, new_x).at(psi, new_x, result);
  parallel_transposed_product(a, b, explained);
  result -= explained;
  explained = result.transpose();
  return 0.5 * (result + explained);
}

}  // namespace

Matrix covariance_by_factor(const Kernel& kernel, const ConstVector& psi, const ConstBlock& new_x,
                            const Matrix& whitened) {
  return given(kernel, psi, new_x, whitened, whitened);
}

Matrix covariance_by_solutions(const Kernel& kernel, const ConstVector& psi,
                               const ConstBlock& new_x, const Matrix& solutions,
                               const Matrix& right_sides_and_residuals) {
  return given(kernel, psi, new_x, right_sides_and_residuals, solutions);
}

}  // namespace ulisse
