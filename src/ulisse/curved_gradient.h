#pragma once

#include "sample/coordinates.h"
#include "ulisse/anchored_gradient.h"

namespace ulisse {

// The gradient for u, whose density is that of psi times d psi / d u, that follows from the one for
// psi.
inline GradientEstimate carried_to(const Coordinates& coordinates, const Vector& u,
                                   GradientEstimate estimate) {
  const Vector slope = coordinates.slope(u);
  estimate.gradient = slope.cwiseProduct(estimate.gradient) + coordinates.log_slope_gradient(u);
  estimate.covariance = slope.asDiagonal() * estimate.covariance * slope.asDiagonal();
  return estimate;
}

// And its noise.
inline NoiseParts carried_to(const Coordinates& coordinates, const Vector& u, NoiseParts parts) {
  const Vector slope = coordinates.slope(u);
  for (Matrix* part : {&parts.cutting, &parts.probes, &parts.probes_alone}) {
    *part = slope.asDiagonal() * *part * slope.asDiagonal();
  }
  return parts;
}

}  // namespace ulisse
