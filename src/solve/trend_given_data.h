#pragma once

#include <Eigen/Cholesky>

#include "ulisse/mean.h"
#include "ulisse/types.h"

namespace ulisse {

// The coefficients of a trend given the data and psi, by generalised least squares with the prior
// N(0, B), B = scale^2 I: they are N(A^-1 H'K^-1 y, A^-1), A = B^-1 + H'K^-1 H, where K is the
// covariance without the trend. What integrating them out takes follows from that, with fewer
// digits lost than by adding H B H' to K:
//   log|K + H B H'| = log|K| + log|B| + log|A|
//   (K + H B H')^-1 = K^-1 - K^-1 H A^-1 H'K^-1
// No trend has no coefficients, and adds nothing.
class TrendGivenData {
 public:
  TrendGivenData() = default;
  // h: H'K^-1 H, (q, q); y: H'K^-1 y.
  TrendGivenData(const Mean& mean, const Matrix& h, const Vector& y);

  Index size() const { return mean_.size(); }
  // Whether A is positive definite, which rounding or a poor solve may end.
  bool is_positive() const { return size() == 0 || factor_.info() == Eigen::Success; }
  const Vector& mean() const { return mean_; }
  Matrix precision() const;  // A
  Matrix covariance() const;
  // C^-1 z with C C' = A: products of its columns are z'A^-1 z.
  Matrix whitened(const ConstBlock& z) const;

  double log_determinant() const { return log_determinant_; }  // log|B| + log|A|
  double explained() const { return explained_; }              // y'K^-1 H A^-1 H'K^-1 y

  // A draw of the coefficients, from a vector of normals.
  Vector draw(const Vector& normals) const;

 private:
  Vector mean_ = Vector(0);
  Eigen::LLT<Matrix> factor_;  // of A
  double log_determinant_ = 0, explained_ = 0;
};

}  // namespace ulisse
