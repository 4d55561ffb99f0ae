#include "posterior/float_inverse.h"

#include "kernel/tiled_gradient.h"
#include "posterior/inverse_weights.h"
#include "solve/dense_factor.h"
#include "solve/trend_given_data.h"

namespace ulisse {

FloatInverse::FloatInverse(const Model& model, const ConstBlock& x, const ConstVector& psi)
    : points_(model.kernel, x), added_(model, x), psi_(psi) {}

std::optional<FloatInverse> FloatInverse::of(const Model& model, const ConstBlock& x,
                                             const ConstVector& psi) {
  FloatInverse found(model, x, psi);
  const DenseOperator<float> k(found.points_, model.layout.kernel_psi(psi));
  if (!k.kernel().is_usable()) return std::nullopt;
  found.added_.lower_matrix(k, psi, found.inverse_);
  if (parallel_cholesky(found.inverse_) != 0) return std::nullopt;
  parallel_inverse(found.inverse_);
  const Matrix h = model.mean.basis(x);
  found.trend_.resize(h.rows(), h.cols());
  if (h.cols() == 0) return found;
  Matrix solved(h.rows(), h.cols());
  parallel_symmetric_product(found.inverse_, h, solved);
  const TrendGivenData trend(model.mean, h.transpose() * solved, Vector::Zero(h.cols()));
  if (!trend.is_positive()) return std::nullopt;
  found.trend_ = trend.whitened(solved.transpose()).transpose();
  return found;
}

Matrix FloatInverse::times(const ConstBlock& z) const {
  Matrix y(z.rows(), z.cols());
  parallel_symmetric_product(inverse_, z, y);
  if (trend_.cols() > 0) y -= trend_ * (trend_.transpose() * z);
  return y;
}

Vector FloatInverse::half_trace() const {
  const DenseOperator<double> k(points_, added_.model().layout.kernel_psi(psi_));
  const Vector none = Vector::Zero(inverse_.rows());
  const std::vector<InverseWeights<float>> weights(1, InverseWeights<float>(inverse_, none));
  Vector of_kernel = -tiled_contractions(k.kernel(), weights, TilePairs{k.kernel().tiles()}).col(0);
  if (trend_.cols() > 0) of_kernel -= 0.5 * k.gradient_forms(trend_, trend_);
  const double total = inverse_.diagonal().cast<double>().sum() - trend_.squaredNorm();
  return added_.slopes(psi_, of_kernel, 0.5 * total);
}

}  // namespace ulisse
