#pragma once

#include <concepts>
#include <stdexcept>

#include "ulisse/exact.h"
#include "ulisse/types.h"

namespace ulisse {

// A density known exactly at every psi, up to a constant, with its gradient. A rejected point has
// density 0. Samplers that accept and reject ask for it: on an estimate of the density they would
// be wrong, so they do not compile.
template <class T>
concept DensityTarget = requires(const T& target, const Vector& psi) {
  { target.log_density(psi) } -> std::same_as<LogDensity>;
  { target.log_density_and_gradient(psi) } -> std::same_as<LogDensity>;
};

// A chain cannot start where the density is 0.
inline LogDensity accepted_start(LogDensity density) {
  if (!density.rejected()) return density;
  throw std::invalid_argument("a chain cannot start at a rejected point: " + density.rejection);
}

}  // namespace ulisse
