#pragma once

#include <cmath>
#include <cstdint>

#include "ulisse/random.h"
#include "ulisse/types.h"

namespace ulisse::testing {

// Stationary chains x_i = phi x_i-1 + noise of variance 1 - phi^2: N(0, 1) each, with correlation
// phi^t at lag t. phi = 0 gives independent draws.
inline Matrix autoregressive(Index draws, Index chains, double phi, std::uint64_t seed) {
  Matrix x(draws, chains);
  for (Index chain = 0; chain < chains; ++chain) {
    Rng rng = stream(seed, static_cast<std::uint32_t>(chain), Purpose::simulation);
    double value = rng.normal();
    for (Index i = 0; i < draws; ++i) {
      x(i, chain) = value;
      value = phi * value + std::sqrt(1 - phi * phi) * rng.normal();
    }
  }
  return x;
}

inline Matrix independent(Index draws, Index chains, std::uint64_t seed) {
  return autoregressive(draws, chains, 0, seed);
}

}  // namespace ulisse::testing
