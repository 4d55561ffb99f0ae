#include "base/blas.h"
#include "kernel/dense.h"
#include "kernel/packed_block.h"
#include "ulisse/covariance.h"

namespace ulisse {

namespace {

Vector joined(const Vector& a, const Vector& b) {
  Vector both(a.size() + b.size());
  both << a, b;
  return both;
}

}  // namespace

CovarianceOperator::CovarianceOperator(std::shared_ptr<const Model> model,
                                       std::unique_ptr<const KernelOperator> kernel,
                                       const ConstVector& psi, const ConstBlock& x)
    : model_(std::move(model)),
      kernel_(std::move(kernel)),
      noise_psi_(model_->layout.noise_psi(psi)),
      noise_(model_->noise.diagonal(noise_psi_, x)),
      trend_(model_->mean.scale * model_->mean.basis(x)) {}

void CovarianceOperator::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  if (x.data() == y.data()) {
    apply(Matrix(x), y);
    return;
  }
  kernel_->apply(x, y);
  for_rows(size(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index i = first; i < last; ++i) y(i, c) += noise_(i) * x(i, c);
    }
  });
  if (trend_.cols() == 0) return;
  Matrix inner(trend_.cols(), x.cols());
  parallel_transposed_product(trend_, x, inner);
  parallel_product(1, trend_, inner, 1, y);
}

Vector CovarianceOperator::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  return model_->layout.of_free(
      joined(kernel_->gradient_forms(u, v), Noise::slope(noise_psi_, u.cwiseProduct(v).sum())));
}

Matrix CovarianceOperator::gradient_forms_by_column(const ConstBlock& u,
                                                    const ConstBlock& v) const {
  const Matrix kernel = kernel_->gradient_forms_by_column(u, v);
  const Eigen::RowVectorXd totals = u.cwiseProduct(v).colwise().sum();
  Matrix forms(kernel.rows() + Noise::parameter_count(), u.cols());
  forms.topRows(kernel.rows()) = kernel;
  for (Index c = 0; c < u.cols(); ++c) {
    forms.col(c).tail(Noise::parameter_count()) = Noise::slope(noise_psi_, totals(c));
  }
  return model_->layout.of_free(forms);
}

Vector CovarianceOperator::diagonal_slopes(double total) const {
  return model_->layout.of_free(
      joined(total * kernel_->variance_slopes(), Noise::slope(noise_psi_, total)));
}

}  // namespace ulisse
