#pragma once

#include "kernel/kernel_points.h"
#include "kernel/noise_and_trend.h"
#include "predict/predicted_function.h"
#include "predict/predictor.h"

namespace ulisse {

// By Cholesky: O(n^3) for each psi, 8 n^2 bytes. Factors may be kept, for predictions that come
// again and again with the same draws.
class ExactPredictor : public Predictor {
 public:
  // Keeps factors of the first psi that come, in so many bytes.
  ExactPredictor(const Model& model, const Matrix& x, const Vector& y, std::size_t kept_bytes = 0);

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
  Matrix& factor() { return now_->factor; }
  const PredictedFunction& function() const { return f_; }

 private:
  PredictedFunction f_;
  NoiseAndTrend added_;
  KernelPoints points_;
  struct Solved {
    Vector psi;
    Matrix factor;   // L, in the lower triangle
    Matrix weights;  // K^-1 of the right sides
  };
  void solve(const ConstVector& psi, Solved& at) const;

  std::size_t most_kept_;
  std::vector<std::unique_ptr<Solved>> kept_;
  Solved other_;  // of a psi that is not kept
  Solved* now_ = &other_;
};

}  // namespace ulisse
