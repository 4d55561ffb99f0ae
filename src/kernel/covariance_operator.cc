#include "kernel/dense.h"
#include "kernel/noise_and_trend.h"
#include "ulisse/covariance.h"

namespace ulisse {

CovarianceOperator::CovarianceOperator(std::shared_ptr<const NoiseAndTrend> added,
                                       std::unique_ptr<const KernelOperator> kernel,
                                       const ConstVector& psi)
    : added_(std::move(added)), kernel_(std::move(kernel)), psi_(psi), noise_(added_->noise(psi)) {}

void CovarianceOperator::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  if (x.data() == y.data()) {
    apply(Matrix(x), y);
    return;
  }
  kernel_->apply(x, y);
  added_->add_product(noise_, x, y);
}

Vector CovarianceOperator::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  return added_->slopes(psi_, kernel_->gradient_forms(u, v), u.cwiseProduct(v).sum());
}

Matrix CovarianceOperator::gradient_forms_by_column(const ConstBlock& u,
                                                    const ConstBlock& v) const {
  return added_->slopes(psi_, kernel_->gradient_forms_by_column(u, v),
                        u.cwiseProduct(v).colwise().sum());
}

Vector CovarianceOperator::diagonal_slopes(double total) const {
  return added_->slopes(psi_, Vector(total * kernel_->variance_slopes()), total);
}

const Matrix& CovarianceOperator::trend() const { return added_->trend(); }

}  // namespace ulisse
