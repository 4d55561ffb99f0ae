#include "predict/joint_covariance.h"

#include "base/blas.h"

namespace ulisse {

Matrix covariance_given(Matrix prior, const Matrix& a, const Matrix& b, const Matrix& spread) {
  Matrix explained(prior.rows(), prior.cols());
  parallel_transposed_product(a, b, explained);
  prior -= explained;
  if (spread.rows() > 0) prior += spread.transpose() * spread;
  explained = prior.transpose();
  return 0.5 * (prior + explained);
}

}  // namespace ulisse
