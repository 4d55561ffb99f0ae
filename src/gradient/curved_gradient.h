#pragma once

#include "gradient/anchored_gradient.h"
#include "gradient/coordinates.h"

namespace ulisse {

// The gradient for u that follows from the one for psi.
inline GradientEstimate carried_to(const Coordinates& coordinates, const Vector& u,
                                   GradientEstimate estimate) {
  const Vector slope = coordinates.slope(u);
  estimate.gradient = slope.cwiseProduct(estimate.gradient) + coordinates.log_slope_gradient(u);
  estimate.covariance = slope.asDiagonal() * estimate.covariance * slope.asDiagonal();
  return estimate;
}

// Gradients of the log posterior of u, whose density is that of psi times d psi / d u.
class CurvedGradient {
 public:
  // Both must outlive this.
  CurvedGradient(const AnchoredGradient& gradient, const Coordinates& coordinates)
      : gradient_(gradient), coordinates_(coordinates) {}

  GradientEstimate estimate(const Vector& u, Rng& rng) const {
    return carried_to(coordinates_, u, gradient_.estimate(psi(u), rng));
  }

  NoiseParts noise(const Vector& u, Rng& rng) const {
    NoiseParts parts = gradient_.estimate_in_parts(psi(u), rng).parts;
    const Vector slope = coordinates_.slope(u);
    for (Matrix* part : {&parts.cutting, &parts.probes, &parts.probes_alone}) {
      *part = slope.asDiagonal() * *part * slope.asDiagonal();
    }
    return parts;
  }

  Vector psi(const Vector& u) const { return coordinates_.psi(u); }

 private:
  const AnchoredGradient& gradient_;
  const Coordinates& coordinates_;
};

}  // namespace ulisse
