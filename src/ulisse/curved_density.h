#pragma once

#include "sample/coordinates.h"
#include "ulisse/exact.h"

namespace ulisse {

// The exact log posterior of u, whose density is that of psi times d psi / d u.
class CurvedDensity {
 public:
  // Both must outlive this.
  CurvedDensity(const ExactPosterior& posterior, const Coordinates& coordinates)
      : posterior_(posterior), coordinates_(coordinates) {}

  LogDensity log_density(const Vector& u) const {
    LogDensity density = posterior_.log_density(coordinates_.psi(u));
    if (!density.rejected()) density.value += log_slope(u);
    return density;
  }

  LogDensity log_density_and_gradient(const Vector& u) const {
    LogDensity density = posterior_.log_density_and_gradient(coordinates_.psi(u));
    if (density.rejected()) return density;
    density.value += log_slope(u);
    density.gradient =
        coordinates_.slope(u).cwiseProduct(density.gradient) + coordinates_.log_slope_gradient(u);
    return density;
  }

  Vector psi(const Vector& u) const { return coordinates_.psi(u); }

  // The log posterior of psi, given that of u.
  double of_psi(const Vector& u, double log_density) const { return log_density - log_slope(u); }

 private:
  double log_slope(const Vector& u) const { return coordinates_.slope(u).array().log().sum(); }

  const ExactPosterior& posterior_;
  const Coordinates& coordinates_;
};

}  // namespace ulisse
