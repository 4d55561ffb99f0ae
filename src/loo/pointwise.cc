#include "loo/pointwise.h"

#include <cmath>

#include "diagnose/pareto_smoothing.h"

namespace ulisse {

namespace {

// Monte Carlo standard error of log(sum_s w_s p_s), by that of a log-normal variable with the mean
// and the variance of the sum.
double mcse_of_log(const Vector& weights, const Vector& density, double relative_ess) {
  const double mean = weights.dot(density);
  const double efficiency = std::isfinite(relative_ess) && relative_ess > 0 ? relative_ess : 1;
  const double variance = (weights.array() * (density.array() - mean)).square().sum() / efficiency;
  return std::sqrt(std::log1p(variance / (mean * mean)));
}

}  // namespace

PointwiseLoo pointwise_loo(const ConstVector& log_density, Index chains) {
  // Ratios do not change, and nothing is too small for a double that matters.
  const Vector density = (log_density.array() - log_density.maxCoeff()).exp();
  const Index each = density.size() / chains;
  const double ess = diagnose::relative_ess(Eigen::Map<const Matrix>(density.data(), each, chains));
  auto smoothed = diagnose::pareto_smoothed(-log_density, ess);
  const double elpd = diagnose::log_sum_exp(log_density + smoothed.log_weights);
  const double lpd =
      diagnose::log_sum_exp(log_density) - std::log(static_cast<double>(density.size()));
  const Vector weights = smoothed.log_weights.array().exp();
  return {.elpd = elpd,
          .mcse = mcse_of_log(weights, density, ess),
          .p_loo = lpd - elpd,
          .pareto_k = smoothed.k,
          .relative_ess = ess,
          .weights = weights};
}

}  // namespace ulisse
