#pragma once

#include <memory>

#include "base/blas.h"
#include "kernel/dense.h"
#include "kernel/noise_and_trend.h"
#include "predict/exact_predictor.h"
#include "predict/predicted_function.h"

namespace ulisse {

// By a Cholesky factor in float: half the time and half the memory of an exact prediction. Means
// are exact all the same: K^-1 y is solved for in double, with the factor as preconditioner. What
// the factor makes of variances is measured for each psi at some points, in double; where the error
// is too large, that psi is factorised in double. Joint covariances are solved for in double like
// the means: what the factor makes of them is no covariance.
class FloatPredictor : public Predictor {
 public:
  FloatPredictor(const Model& model, const Matrix& x, const Vector& y,
                 const PredictorOptions& options);

  void condition(const ConstVector& psi) override;
  using Predictor::moments;
  Moments moments(const ConstBlock& new_x, const Component& part) const override;
  Matrix covariance(const ConstBlock& new_x) const override;
  const TrendGivenData& trend() const override { return in_float_ ? f_.trend() : exact_->trend(); }
  Component everything() const override { return Component::everything(model_); }
  Index batch() const override { return 1024; }
  double variance_error() const override { return variance_error_; }
  std::string name() const override {
    return exact_draws_ > 0 ? "float, and exact where that is not enough" : "float";
  }

 private:
  FloatMatrix whitened(const Matrix& k) const;  // L^-1 k
  bool solve_for_weights(const CovarianceOperator& k);
  bool good_enough(const CovarianceOperator& k);

  Model model_;
  const Matrix& x_;
  const Vector& y_;
  KernelPoints training_;
  Matrix points_;  // where errors of variances are measured
  bool new_points_, latent_;
  PredictedFunction f_;
  NoiseAndTrend added_;
  std::unique_ptr<Covariance> covariance_;
  Vector psi_;
  Matrix weights_;                         // K^-1 [y, H]
  FloatMatrix factor_;                     // L, in the lower triangle
  std::unique_ptr<ExactPredictor> exact_;  // in use when float was not good enough
  bool in_float_ = false;
  long exact_draws_ = 0;
  double variance_error_ = 0;
};

}  // namespace ulisse
