#pragma once

#include "gradient/coordinates.h"
#include "ulisse/exact.h"

namespace ulisse {

// The log posterior of u, whose density is that of psi times d psi / d u.
class CurvedDensity {
 public:
  // Both must outlive this.
  CurvedDensity(const ExactPosterior& posterior, const Coordinates& coordinates)
      : posterior_(posterior), coordinates_(coordinates) {}

  LogDensity log_density(const Vector& u) const {
    LogDensity density = posterior_.log_density(coordinates_.psi(u));
    if (!density.rejected()) density.value += coordinates_.slope(u).array().log().sum();
    return density;
  }

 private:
  const ExactPosterior& posterior_;
  const Coordinates& coordinates_;
};

}  // namespace ulisse
