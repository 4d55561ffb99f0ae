#include "predict/predicted_function.h"

#include "base/blas.h"

namespace ulisse {

namespace {

Model without_trend(Model model) {
  model.mean = {};
  return model;
}

}  // namespace

PredictedFunction::PredictedFunction(const Model& model, const Matrix& x, const Vector& y)
    : mean_(model.mean),
      model_(without_trend(model)),
      cross_(model.kernel, x),
      right_sides_(x.rows(), 1 + mean_.size()) {
  right_sides_ << y, mean_.basis(x);
}

void PredictedFunction::condition(const ConstVector& psi, const Matrix& weights) {
  psi_ = psi;
  weights_ = weights;
  const auto h = right_sides_.rightCols(mean_.size());
  trend_ = TrendGivenData(mean_, h.transpose() * weights.rightCols(mean_.size()),
                          h.transpose() * weights.col(0));
}

Matrix PredictedFunction::cross(const ConstBlock& new_x, const Component& part) const {
  Matrix k = Matrix::Zero(cross_.size(), new_x.rows());
  if (!part.terms.empty()) cross_.at(model_.layout.kernel_psi(psi_), new_x, k, part.terms);
  return k;
}

Vector PredictedFunction::mean(const ConstBlock& new_x, const Component& part, const Matrix& cross,
                               Matrix& spread) const {
  Matrix seen(new_x.rows(), weights_.cols());  // k'K^-1 [y, H]
  parallel_transposed_product(cross, weights_, seen);
  Matrix unseen = -seen.rightCols(mean_.size());  // of the basis at the new points
  if (part.trend) unseen += mean_.basis(new_x);
  spread = trend_.whitened(unseen.transpose());
  if (mean_.size() == 0) return seen.col(0);
  return seen.col(0) + unseen * trend_.mean();
}

double PredictedFunction::variance(const Component& part) const {
  const auto parameters = unpack(model_.kernel, model_.layout.kernel_psi(psi_), model_.dimensions);
  double sum = 0;
  for (const Index t : part.terms) sum += parameters[static_cast<std::size_t>(t)].sigma;
  return sum;
}

Matrix PredictedFunction::covariance(const ConstBlock& new_x, const Component& part) const {
  Matrix result = Matrix::Zero(new_x.rows(), new_x.rows());
  if (part.terms.empty()) return result;
  CrossCovariance(model_.kernel, new_x)
      .at(model_.layout.kernel_psi(psi_), new_x, result, part.terms);
  return result;
}

}  // namespace ulisse
