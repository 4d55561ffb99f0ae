#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <cmath>

#include "diagnose/chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {

double mcse_mean(const ConstBlock& draws) { return sd(draws) / std::sqrt(ess_mean(draws)); }

// By the delta method from the variance v of the draws, whose error is that of a mean of squares:
// sd = sqrt(v), and so se(sd) = se(v) / (2 sqrt(v)).
double mcse_sd(const ConstBlock& draws) {
  if (nothing_to_say(draws)) return kUnknown;
  const Matrix squares = (draws.array() - mean(draws)).square();
  const double v = squares.mean(), fourth = squares.array().square().mean();
  return std::sqrt((fourth - v * v) / ess_mean(squares) / v / 4);
}

// Half the distance between the draws at the 16 % and the 84 % point of what the ESS leaves unknown
// of the probability: one standard error to each side.
double mcse_quantile(const ConstBlock& draws, double probability) {
  const double ess = ess_quantile(draws, probability);
  if (std::isnan(ess)) return kUnknown;
  const boost::math::beta_distribution<> known(ess * probability + 1, ess * (1 - probability) + 1);
  const auto size = static_cast<double>(draws.size());
  const double below = std::floor(boost::math::quantile(known, 0.1586553) * size);
  const double above = std::ceil(boost::math::quantile(known, 0.8413447) * size);
  Vector sorted = pooled(draws);
  std::sort(sorted.begin(), sorted.end());
  const double low = sorted[static_cast<Index>(std::max(below, 1.0)) - 1];
  const double high = sorted[static_cast<Index>(std::min(above, size)) - 1];
  return (high - low) / 2;
}

}  // namespace ulisse::diagnose
