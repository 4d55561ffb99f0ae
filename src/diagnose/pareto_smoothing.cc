#include "diagnose/pareto_smoothing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ulisse::diagnose {

namespace {

constexpr Index kFewestInTail = 5;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Index tail_length(Index draws, double relative_ess) {
  const auto s = static_cast<double>(draws);
  const double efficiency = std::isfinite(relative_ess) && relative_ess > 0 ? relative_ess : 1;
  return static_cast<Index>(std::ceil(std::min(0.2 * s, 3 * std::sqrt(s / efficiency))));
}

// Places of the elements, from the smallest to the largest; equal ones in their order.
std::vector<Index> rising(const Vector& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), Index(0));
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return x(a) < x(b); });
  return order;
}

// Overwrites the logarithms of the `count` largest weights, and returns k.
double smooth_tail(Index count, Vector& log_weights) {
  const std::vector<Index> order = rising(log_weights);
  const Index first = log_weights.size() - count;
  const auto place = [&](Index i) { return order[static_cast<std::size_t>(first + i)]; };
  const double largest = log_weights(place(count - 1));
  if (largest - log_weights(place(0)) < std::numeric_limits<double>::epsilon() / 100) {
    return kInfinity;
  }
  const double cutoff = std::exp(log_weights(place(-1)));
  Vector excess(count);
  for (Index i = 0; i < count; ++i) excess(i) = std::exp(log_weights(place(i))) - cutoff;
  const GeneralisedPareto tail = fit_generalised_pareto(excess);
  if (!std::isfinite(tail.k)) return tail.k;
  for (Index i = 0; i < count; ++i) {
    const double p = (static_cast<double>(i) + 0.5) / static_cast<double>(count);
    log_weights(place(i)) = std::log(tail.quantile(p) + cutoff);
  }
  return tail.k;
}

}  // namespace

double log_sum_exp(const ConstVector& x) {
  const double largest = x.maxCoeff();
  if (!std::isfinite(largest)) return largest;
  return largest + std::log((x.array() - largest).exp().sum());
}

double GeneralisedPareto::quantile(double p) const {
  return sigma * std::expm1(-k * std::log1p(-p)) / k;
}

// The profile likelihood of theta = -k / sigma is averaged over a grid; k given theta is the mean
// of log(1 - theta x).
GeneralisedPareto fit_generalised_pareto(const ConstVector& x) {
  constexpr double kPriorScale = 3, kPriorK = 0.5, kPriorCount = 10;
  const auto n = static_cast<double>(x.size());
  const Index points = 30 + static_cast<Index>(std::sqrt(n));
  const double quartile = x(static_cast<Index>(n / 4 + 0.5) - 1);
  const auto k_at = [&](double theta) { return (-theta * x.array()).log1p().mean(); };
  Vector theta(points), log_likelihood(points);
  for (Index j = 0; j < points; ++j) {
    const double ratio = static_cast<double>(points) / (static_cast<double>(j) + 0.5);
    theta(j) = 1 / x(x.size() - 1) + (1 - std::sqrt(ratio)) / kPriorScale / quartile;
    const double k = k_at(theta(j));
    log_likelihood(j) = n * (std::log(-theta(j) / k) - k - 1);
  }
  const double total = log_sum_exp(log_likelihood);
  const double chosen = theta.dot(Vector((log_likelihood.array() - total).exp()));
  const double k = k_at(chosen), sigma = -k / chosen;
  if (std::isnan(k) || !(sigma > 0)) return {kInfinity, NAN};
  return {(k * n + kPriorK * kPriorCount) / (n + kPriorCount), sigma};
}

SmoothedWeights pareto_smoothed(const ConstVector& log_ratios, double relative_ess) {
  const double largest = log_ratios.maxCoeff();
  Vector log_weights = log_ratios.array() - largest;
  double k = kInfinity;
  const Index count = tail_length(log_ratios.size(), relative_ess);
  if (count >= kFewestInTail) k = smooth_tail(count, log_weights);
  log_weights = log_weights.cwiseMin(0);
  log_weights.array() -= log_sum_exp(log_weights);
  return {std::move(log_weights), k};
}

}  // namespace ulisse::diagnose
