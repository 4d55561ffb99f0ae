#pragma once

#include <cmath>

#include "ulisse/exact.h"
#include "ulisse/whitening.h"

namespace ulisse::testing {

// Logarithms of gamma variables of shape a, moved to mean 0 and scaled, of which the first two are
// turned by half a right angle: log-concave, skewed along and between axes. `wall` > 0 adds a slope
// that begins 2.2 standard deviations out along the last axis, where no survey has been.
struct SkewedDensity {
  double shape = 8, wall = 0;

  // d log p / dx of sqrt(a) (log(Gamma) - log a), which has its mode at 0 and curvature 1 there.
  double value(double x) const {
    const double s = std::sqrt(shape);
    return s * x - shape * std::exp(x / s);
  }
  double slope(double x) const {
    const double s = std::sqrt(shape);
    return s - s * std::exp(x / s);
  }

  LogDensity evaluate(const Vector& psi) const {
    const double c = std::sqrt(0.5);
    const double a = c * (psi(0) + psi(1)), b = c * (psi(0) - psi(1)), z = psi(2);
    const double beyond = std::max(0.0, z - 2.2);
    return {
        value(a) + value(b) + value(z) - 0.5 * wall * beyond * beyond,
        Vector{{c * (slope(a) + slope(b)), c * (slope(a) - slope(b)), slope(z) - wall * beyond}},
        ""};
  }

  // The mean along a turned axis: that of sqrt(a) (log G - log a) is about -1 / (2 sqrt(a)).
  double mean_of_one() const {
    double mass = 0, moment = 0;
    for (double x = -15; x < 15; x += 1e-3) {
      const double p = std::exp(value(x) - value(0));
      mass += p;
      moment += p * x;
    }
    return moment / mass;
  }
  Vector mean() const {
    return Vector{{2 * std::sqrt(0.5) * mean_of_one(), 0, mean_of_one()}};  // without a wall
  }

  Whitening whitening() const {
    return {Coordinates(Vector::Zero(3)), Vector::Zero(3), Matrix::Identity(3, 3)};
  }
};

inline Lesson lesson_at(const SkewedDensity& density, const Vector& psi) {
  return {psi, density.evaluate(psi).gradient, Matrix::Zero(psi.size(), psi.size())};
}

}  // namespace ulisse::testing
