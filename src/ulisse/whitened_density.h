#pragma once

#include "ulisse/exact.h"
#include "ulisse/whitening.h"

namespace ulisse {

// The exact log posterior of whitened coordinates v, but for a constant.
class WhitenedDensity {
 public:
  // `posterior` must outlive this.
  WhitenedDensity(const ExactPosterior& posterior, Whitening whitening)
      : posterior_(posterior), whitening_(std::move(whitening)) {}

  LogDensity log_density(const Vector& v) const {
    LogDensity density = posterior_.log_density(whitening_.psi(v));
    if (!density.rejected()) density.value += whitening_.log_slope(v);
    return density;
  }

 private:
  const ExactPosterior& posterior_;
  Whitening whitening_;
};

}  // namespace ulisse
