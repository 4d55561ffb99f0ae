#include <cmath>

#include "kernel/dense.h"
#include "kernel/noise_and_trend.h"
#include "ulisse/covariance.h"

namespace ulisse {

CovarianceOperator::CovarianceOperator(std::shared_ptr<const NoiseAndTrend> added,
                                       std::shared_ptr<const KernelPoints> points,
                                       std::unique_ptr<const KernelOperator> kernel,
                                       const ConstVector& psi)
    : added_(std::move(added)),
      points_(std::move(points)),
      kernel_(std::move(kernel)),
      psi_(psi),
      noise_(added_->noise(psi)) {}

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
  return slopes(total * kernel_->variance_slopes(), total);
}

Vector CovarianceOperator::slopes(const Vector& of_kernel, double total) const {
  return added_->slopes(psi_, of_kernel, total);
}

std::unique_ptr<const KernelOperator> CovarianceOperator::kernel_among(const Indices& rows) const {
  return std::make_unique<DenseOperator<double>>(points_->in_order(rows),
                                                 added_->model().layout.kernel_psi(psi_));
}

Matrix CovarianceOperator::scaled_points() const { return scaled(*points_); }

Matrix CovarianceOperator::scaled_points(const ConstBlock& x) const {
  return scaled(points_->others(x));
}

// Of a sum of terms, each counts by its share of the variance.
Matrix CovarianceOperator::scaled(const KernelPoints& points) const {
  const Vector theta = added_->model().layout.kernel_psi(psi_).array().exp();
  Matrix all(points.size(), 0);
  for (std::size_t t = 0; t < points.terms().size(); ++t) {
    const TermMetrics& term = points.terms()[t];
    const double share = std::sqrt(theta(term.sigma) / kernel_->variance());
    for (std::size_t m = 0; m < term.metrics.size(); ++m) {
      const Vector scales = share * theta(term.metrics[m].tau).cwiseSqrt();
      const Matrix added = points.coordinates(t, m) * scales.asDiagonal();
      all.conservativeResize(Eigen::NoChange, all.cols() + added.cols());
      all.rightCols(added.cols()) = added;
    }
  }
  return all;
}

const Matrix& CovarianceOperator::trend() const { return added_->trend(); }

}  // namespace ulisse
