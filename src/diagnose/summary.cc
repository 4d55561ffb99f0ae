#include <algorithm>
#include <stdexcept>
#include <utility>

#include "ulisse/diagnose.h"

namespace ulisse::diagnose {

ParameterSummary summarise(std::string name, const ConstBlock& draws) {
  const Vector q = quantiles(draws, {0.05, 0.5, 0.95});
  return {.name = std::move(name),
          .mean = mean(draws),
          .sd = sd(draws),
          .mcse = mcse_mean(draws),
          .q5 = q[0],
          .q50 = q[1],
          .q95 = q[2],
          .ess_bulk = ess_bulk(draws),
          .ess_tail = ess_tail(draws),
          .rhat = rhat(draws)};
}

double seconds_per_independent_sample(double seconds,
                                      std::span<const ParameterSummary> parameters) {
  if (parameters.empty()) throw std::invalid_argument("there are no parameters");
  Vector ess(static_cast<Index>(parameters.size()));
  std::transform(parameters.begin(), parameters.end(), ess.begin(),
                 [](const ParameterSummary& parameter) { return parameter.ess_bulk; });
  return seconds / ess.minCoeff<Eigen::PropagateNaN>();
}

}  // namespace ulisse::diagnose
