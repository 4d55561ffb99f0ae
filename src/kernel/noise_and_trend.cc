#include "kernel/noise_and_trend.h"

#include "base/blas.h"
#include "kernel/dense_matrix.h"
#include "kernel/packed_block.h"

namespace ulisse {

NoiseAndTrend::NoiseAndTrend(Model model, const ConstBlock& x)
    : model_(std::move(model)),
      known_variance_(model_.noise.known_variance(x)),
      trend_(model_.mean.scale * model_.mean.basis(x)) {}

Vector NoiseAndTrend::noise(const ConstVector& psi) const {
  return known_variance_.array() + Noise::variance(model_.layout.noise_psi(psi));
}

void NoiseAndTrend::add_product(const Vector& noise, const ConstBlock& x, Block y) const {
  for_rows(x.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index i = first; i < last; ++i) y(i, c) += noise(i) * x(i, c);
    }
  });
  if (trend_.cols() == 0) return;
  Matrix inner(trend_.cols(), x.cols());
  parallel_transposed_product(trend_, x, inner);
  parallel_product(1, trend_, inner, 1, y);
}

void NoiseAndTrend::lower_matrix(const DenseOperator<double>& kernel, const ConstVector& psi,
                                 Matrix& result) const {
  ulisse::lower_matrix(kernel, result);
  result.diagonal() += noise(psi);
}

void NoiseAndTrend::lower_matrix(const DenseOperator<float>& kernel, const ConstVector& psi,
                                 Eigen::MatrixXf& result) const {
  ulisse::lower_matrix(kernel, result);
  result.diagonal() += noise(psi).cast<float>();
}

Vector NoiseAndTrend::slopes(const ConstVector& psi, const Vector& of_kernel, double total) const {
  return slopes(psi, Matrix(of_kernel), Eigen::RowVectorXd::Constant(1, total)).col(0);
}

Matrix NoiseAndTrend::slopes(const ConstVector& psi, const Matrix& of_kernel,
                             const Eigen::RowVectorXd& totals) const {
  const Vector noise_psi = model_.layout.noise_psi(psi);
  Matrix all(of_kernel.rows() + Noise::parameter_count(), of_kernel.cols());
  all.topRows(of_kernel.rows()) = of_kernel;
  for (Index c = 0; c < all.cols(); ++c) {
    all.col(c).tail(Noise::parameter_count()) = Noise::slope(noise_psi, totals(c));
  }
  return model_.layout.of_free(all);
}

}  // namespace ulisse
