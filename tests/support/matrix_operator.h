#pragma once

#include <Eigen/QR>
#include <vector>

#include "support/random_points.h"
#include "ulisse/covariance.h"

namespace ulisse::testing {

// A dense matrix as an operator. One column after the other, so that the bits of a column do not
// depend on its neighbours.
class MatrixOperator : public LinearOperator {
 public:
  explicit MatrixOperator(Matrix a) : a_(std::move(a)) {}
  Index size() const override { return a_.rows(); }
  void apply(const ConstBlock& x, Block y) const override {
    Matrix result(x.rows(), x.cols());
    for (Index c = 0; c < x.cols(); ++c) result.col(c).noalias() = a_ * x.col(c);
    y = result;
  }
  const Matrix& matrix() const { return a_; }

 private:
  Matrix a_;
};

// Remembers how many columns each product had.
class CountingOperator : public LinearOperator {
 public:
  explicit CountingOperator(const LinearOperator& a) : a_(a) {}
  Index size() const override { return a_.size(); }
  void apply(const ConstBlock& x, Block y) const override {
    widths_.push_back(x.cols());
    a_.apply(x, y);
  }
  const std::vector<Index>& widths() const { return widths_; }
  long products() const { return static_cast<long>(widths_.size()); }

 private:
  const LinearOperator& a_;
  mutable std::vector<Index> widths_;
};

inline Matrix random_orthogonal(Index n, unsigned seed) {
  return Eigen::HouseholderQR<Matrix>(normal_matrix(n, n, seed)).householderQ();
}

// Symmetric with these eigenvalues and random eigenvectors.
inline Matrix matrix_with_spectrum(const Vector& eigenvalues, unsigned seed) {
  const Matrix q = random_orthogonal(eigenvalues.size(), seed);
  const Matrix a = q * eigenvalues.asDiagonal() * q.transpose();
  return 0.5 * (a + a.transpose());
}

// From 1 down to 1/condition, evenly in the logarithm.
inline Vector geometric_spectrum(Index n, double condition) {
  if (n == 1) return Vector::Ones(1);
  return (Vector::LinSpaced(n, 0, -std::log(condition))).array().exp();
}

inline Matrix random_spd(Index n, double condition, unsigned seed) {
  return matrix_with_spectrum(geometric_spectrum(n, condition), seed);
}

}  // namespace ulisse::testing
