#include "sample/dense_metric.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <stdexcept>

namespace ulisse {

Matrix covariance_factor(const Matrix& covariance) {
  if (covariance.rows() != covariance.cols() || covariance.size() == 0) {
    throw std::invalid_argument(
        fmt::format("a covariance of {} x {}", covariance.rows(), covariance.cols()));
  }
  const Eigen::LLT<Matrix> factor(covariance);
  if (!covariance.allFinite() || factor.info() != Eigen::Success) {
    throw std::invalid_argument("the covariance of a sampler is not positive definite");
  }
  return factor.matrixL();
}

DenseMetric::DenseMetric(const Matrix& covariance)
    : covariance_(covariance), factor_(covariance_factor(covariance)) {}

// p = L'^-1 z has the covariance (L L')^-1.
Vector DenseMetric::draw_momentum(Rng& rng) const {
  const Vector z = rng.normal_vector(factor_.rows());
  return factor_.transpose().triangularView<Eigen::Upper>().solve(z);
}

}  // namespace ulisse
