#include "predict/mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "predict/normal.h"

namespace ulisse {

namespace {

double standardised(double y, double mean, double sd) {
  if (sd > 0) return (y - mean) / sd;
  return y < mean ? -INFINITY : INFINITY;
}

// E|Z| for Z ~ N(mean, sd^2).
double expected_distance(double mean, double sd) {
  if (!(sd > 0)) return std::abs(mean);
  const double z = mean / sd;
  return 2 * sd * normal_density(z) + mean * (2 * normal_probability(z) - 1);
}

}  // namespace

GaussianMixture::GaussianMixture(Vector mean, Vector sd)
    : mean_(std::move(mean)), sd_(std::move(sd)) {
  if (mean_.size() == 0 || mean_.size() != sd_.size() || !(sd_.minCoeff() >= 0)) {
    throw std::invalid_argument("a mixture wants one standard deviation for each mean");
  }
}

double GaussianMixture::mean() const { return mean_.mean(); }

double GaussianMixture::sd() const {
  const double between = (mean_.array() - mean()).square().mean();
  return std::sqrt(sd_.squaredNorm() / static_cast<double>(sd_.size()) + between);
}

double GaussianMixture::probability_below(double y) const {
  double sum = 0;
  for (Index i = 0; i < mean_.size(); ++i) {
    sum += normal_probability(standardised(y, mean_(i), sd_(i)));
  }
  return sum / static_cast<double>(mean_.size());
}

// By the largest part, so that the others may underflow.
double GaussianMixture::log_density(double y) const {
  Vector logs(mean_.size());
  for (Index i = 0; i < mean_.size(); ++i) {
    if (!(sd_(i) > 0)) {
      logs(i) = y == mean_(i) ? INFINITY : -INFINITY;
      continue;
    }
    const double z = (y - mean_(i)) / sd_(i);
    logs(i) = -0.5 * (z * z + std::log(2 * std::numbers::pi)) - std::log(sd_(i));
  }
  const double largest = logs.maxCoeff();
  if (!std::isfinite(largest)) return largest;
  return largest + std::log((logs.array() - largest).exp().mean());
}

// By bisection, which needs no density and cannot fail.
double GaussianMixture::quantile(double p) const {
  if (!(p > 0 && p < 1))
    throw std::invalid_argument("a quantile's probability lies between 0 and 1");
  // Wide enough for any p that differs from 0 and 1 in double precision.
  double low = (mean_ - 40 * sd_).minCoeff(), high = (mean_ + 40 * sd_).maxCoeff();
  while (true) {
    const double middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return middle;
    (probability_below(middle) < p ? low : high) = middle;
  }
}

double GaussianMixture::crps(double y) const {
  const Index count = mean_.size();
  double to_y = 0, between = 0;
  for (Index i = 0; i < count; ++i) {
    to_y += expected_distance(mean_(i) - y, sd_(i));
    between += expected_distance(0, std::numbers::sqrt2 * sd_(i));
    for (Index j = 0; j < i; ++j) {
      between += 2 * expected_distance(mean_(i) - mean_(j), std::hypot(sd_(i), sd_(j)));
    }
  }
  const auto s = static_cast<double>(count);
  return to_y / s - 0.5 * between / (s * s);
}

}  // namespace ulisse
