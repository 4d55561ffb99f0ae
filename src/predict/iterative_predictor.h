#pragma once

#include "predict/predicted_function.h"
#include "predict/predictor.h"
#include "ulisse/covariance.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

// By conjugate gradients: O(n) memory. K^-1 y starts from the last psi's. For a variance,
// k'K^-1 k is k'x + r'x with x the solution reached and r its residual, which is too small by
// r'K^-1 r, at most |r|^2/lambda; solves end at |r| < 0.01 lambda, so that variances are too large
// by at most 1e-4 lambda; at a tenth of that residual where the function's own variances matter.
class IterativePredictor : public Predictor {
 public:
  IterativePredictor(const Model& model, const Matrix& x, const Vector& y,
                     const PredictorOptions& options);

  void condition(const ConstVector& psi) override;
  using Predictor::moments;
  Moments moments(const ConstBlock& new_x, const Component& part) const override;
  Matrix covariance(const ConstBlock& new_x) const override;
  const TrendGivenData& trend() const override { return f_.trend(); }
  Component everything() const override { return Component::everything(f_.model()); }
  Index batch() const override { return 64; }
  double variance_error() const override { return options_.latent ? 1e-6 : 1e-4; }
  std::string name() const override { return "iterative"; }

 protected:
  const CovarianceOperator& k() const { return *k_; }
  const Preconditioner& preconditioner() const { return *preconditioner_; }
  const PredictedFunction& function() const { return f_; }
  const PredictorOptions& options() const { return options_; }

 private:
  // Solutions of K x = k(x, new_x), and k(x, new_x) + the residuals.
  struct Solutions {
    Matrix x, right_sides, right_sides_and_residuals;
  };
  Solutions solve(const ConstBlock& new_x, const Component& part) const;

  PredictorOptions options_;
  PredictedFunction f_;
  std::unique_ptr<Covariance> covariance_;
  std::unique_ptr<const CovarianceOperator> k_;
  std::shared_ptr<const Preconditioner> preconditioner_;
  Matrix weights_;  // K^-1 [y, H]
};

}  // namespace ulisse
