#include "loo/left_out.h"

#include <fmt/format.h>

#include "base/memory.h"
#include "base/option_names.h"
#include "loo/nearest_left_out.h"
#include "predict/exact_predictor.h"
#include "solve/dense_factor.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// Beyond it the inverses for some hundred draws take an hour.
constexpr Index kExactRows = 5000;

class ExactLeftOut : public LeftOutRows {
 public:
  explicit ExactLeftOut(const SavedFit& fit)
      : y_(fit.data.y), predictor_(fit.model, fit.data.x, fit.data.y) {}

  LeftOut given(const Vector& psi) override {
    predictor_.condition(psi);
    parallel_inverse(predictor_.factor());
    return left_out_by(y_, predictor_.factor().diagonal(), predictor_.function());
  }

  std::string name() const override { return "exact"; }
  double elpd_error() const override { return 0; }

 private:
  const Vector& y_;
  ExactPredictor predictor_;
};

}  // namespace

std::unique_ptr<LeftOutRows> make_left_out(const SavedFit& fit, const LooOptions& options) {
  const std::size_t memory = options.memory > 0 ? options.memory : machine_memory_bytes() / 2;
  const auto n = static_cast<double>(fit.data.y.size());
  std::string method = options.method;
  if (method == "auto") {
    const bool fits = bytes_of(n * n) <= memory && fit.data.y.size() <= kExactRows;
    method = fits ? "exact" : "neighbours";
  }
  if (method == "exact") return std::make_unique<ExactLeftOut>(fit);
  if (method == "neighbours") return std::make_unique<NearestLeftOut>(fit, options);
  throw InputError(
      fmt::format("{}: '{}' is none of auto, exact, neighbours", option_named("method"), method));
}

// A trend with coefficients that are integrated out takes from C^-1, C = K without the trend:
//   K^-1 = C^-1 - C^-1 H A^-1 H' C^-1.
LeftOut left_out_by(const Vector& y, const Vector& inverse_diagonal, const PredictedFunction& f) {
  const Matrix& weights = f.weights();  // C^-1 [y, H]
  const auto of_trend = weights.rightCols(weights.cols() - 1);
  Vector diagonal = inverse_diagonal, solution = weights.col(0);
  if (of_trend.cols() > 0) {
    diagonal -= f.trend().whitened(of_trend.transpose()).colwise().squaredNorm().transpose();
    solution -= of_trend * f.trend().mean();
  }
  const Vector variance = diagonal.cwiseInverse();
  return {.mean = y - solution.cwiseProduct(variance), .variance = variance};
}

}  // namespace ulisse
