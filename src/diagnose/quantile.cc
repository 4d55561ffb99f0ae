#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "diagnose/chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

void check(double probability) {
  if (probability >= 0 && probability <= 1) return;
  throw std::invalid_argument(fmt::format("{} is not a probability", probability));
}

// Operation for operation as in R: whether a draw is below a quantile that falls on a draw is
// decided by rounding, and the ESS of quantiles asks that.
double of_sorted(const Vector& sorted, double probability) {
  const double position = static_cast<double>(sorted.size() - 1) * probability + 1;
  const double floor = std::floor(position);
  const double low = sorted[static_cast<Index>(floor) - 1];
  const double high = sorted[static_cast<Index>(std::ceil(position)) - 1];
  if (low == high) return low;
  const double weight = position - floor;
  return (1 - weight) * low + weight * high;
}

}  // namespace

Vector quantiles(const ConstBlock& draws, const std::vector<double>& probabilities) {
  std::for_each(probabilities.begin(), probabilities.end(), check);
  const auto count = static_cast<Index>(probabilities.size());
  if (draws.size() == 0 || draws.hasNaN()) return Vector::Constant(count, kUnknown);
  Vector sorted = pooled(draws);
  std::sort(sorted.begin(), sorted.end());
  Vector result(count);
  for (Index i = 0; i < count; ++i) result[i] = of_sorted(sorted, probabilities[i]);
  return result;
}

double quantile(const ConstBlock& draws, double probability) {
  return quantiles(draws, {probability})[0];
}

}  // namespace ulisse::diagnose
