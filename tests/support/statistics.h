#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::testing {

// |z| of a true hypothesis is above this once in a million.
constexpr double kOneInAMillion = 4.892;

// (mean of v - expected) in standard errors, given the standard deviation of one draw.
inline double z_score(const Vector& v, double expected, double sd) {
  return (v.mean() - expected) / sd * std::sqrt(static_cast<double>(v.size()));
}

// The largest distance of the empirical distribution from `cdf`, times sqrt(n). Above 2.693 once in
// a million for the right cdf: 2 exp(-2 c^2) = 1e-6.
constexpr double kKolmogorovOneInAMillion = 2.693;
template <class F>
double kolmogorov_smirnov(const Vector& v, const F& cdf) {
  std::vector<double> sorted(v.begin(), v.end());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  double largest = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = cdf(sorted[i]), below = static_cast<double>(i) / n;
    largest = std::max({largest, p - below, below + 1 / n - p});
  }
  return largest * std::sqrt(n);
}

}  // namespace ulisse::testing
