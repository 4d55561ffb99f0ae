#pragma once

#include "kernel/cross.h"
#include "predict/predictor.h"

namespace ulisse {

// By Cholesky: O(n^3) for each psi, 8 n^2 bytes.
class ExactPredictor : public Predictor {
 public:
  ExactPredictor(const Model& model, const Matrix& x, const Vector& y);

  void condition(const ConstVector& psi) override;
  Moments moments(const ConstBlock& new_x) const override;
  Matrix covariance(const ConstBlock& new_x) const override;
  Index batch() const override { return 256; }
  double variance_error() const override { return 0; }
  std::string name() const override { return "exact"; }

 private:
  // L^-1 k(x, new_x), (n, m), and the means.
  Matrix whitened(const ConstBlock& new_x, Vector& mean) const;

  Model model_;
  const Matrix& x_;
  const Vector& y_;
  CrossCovariance cross_;
  Vector psi_, weights_;  // K^-1 y
  Matrix factor_;         // L, in the lower triangle
};

}  // namespace ulisse
