#pragma once

#include "kernel/kernel_points.h"
#include "kernel/noise_and_trend.h"
#include "predict/predicted_function.h"
#include "predict/predictor.h"

namespace ulisse {

// By Cholesky: O(n^3) for each psi, 8 n^2 bytes.
class ExactPredictor : public Predictor {
 public:
  ExactPredictor(const Model& model, const Matrix& x, const Vector& y);

  void condition(const ConstVector& psi) override;
  using Predictor::moments;
  Moments moments(const ConstBlock& new_x, const Component& part) const override;
  Matrix covariance(const ConstBlock& new_x) const override;
  const TrendGivenData& trend() const override { return f_.trend(); }
  Component everything() const override { return Component::everything(f_.model()); }
  Index batch() const override { return 256; }
  double variance_error() const override { return 0; }
  std::string name() const override { return "exact"; }

  // For the psi of the last condition(): L, in the lower triangle, which may be overwritten until
  // the next; and the function that it belongs to.
  Matrix& factor() { return factor_; }
  const PredictedFunction& function() const { return f_; }

 private:
  PredictedFunction f_;
  NoiseAndTrend added_;
  KernelPoints points_;
  Matrix factor_;  // L, in the lower triangle
};

}  // namespace ulisse
