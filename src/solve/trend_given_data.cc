#include "solve/trend_given_data.h"

#include <cmath>

namespace ulisse {

TrendGivenData::TrendGivenData(const Mean& mean, const Matrix& h, const Vector& y) {
  if (mean.size() == 0) return;
  const double precision = 1 / (mean.scale * mean.scale);
  factor_.compute(h + precision * Matrix::Identity(h.rows(), h.cols()));
  mean_ = factor_.solve(y);
  log_determinant_ = 2 * factor_.matrixLLT().diagonal().array().log().sum() -
                     static_cast<double>(h.rows()) * std::log(precision);
  explained_ = y.dot(mean_);
}

Matrix TrendGivenData::precision() const { return factor_.reconstructedMatrix(); }

Matrix TrendGivenData::covariance() const {
  return factor_.solve(Matrix::Identity(size(), size()));
}

Matrix TrendGivenData::whitened(const ConstBlock& z) const {
  return size() == 0 ? Matrix(0, z.cols()) : Matrix(factor_.matrixL().solve(Matrix(z)));
}

Vector TrendGivenData::draw(const Vector& normals) const {
  return size() == 0 ? Vector(0) : Vector(mean_ + factor_.matrixU().solve(normals));
}

}  // namespace ulisse
