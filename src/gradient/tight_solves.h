#pragma once

#include <algorithm>
#include <cmath>

#include "ulisse/solve.h"

namespace ulisse {

// Solves for gradients at psi that stand for exact ones, to `tightness` sqrt(n). A residual r
// leaves an error of r'K^-1 r, up to |r|^2/lambda, in y'K^-1 y: with hardly any noise it must be
// smaller. Who needs more iterations, with a preconditioner that is nearly right, will hardly come
// to an end, and nothing can be interrupted meanwhile.
inline CgOptions tight_solves(Index n, const ConstVector& psi, double tightness = 1e-4) {
  constexpr double kLittleNoise = 1e-4;
  constexpr Index kMostIterations = 1000;
  const double lambda = std::exp(psi(psi.size() - 1));
  const double noise = std::min(1.0, std::sqrt(lambda / kLittleNoise));
  return {.tolerance = tightness * noise * std::sqrt(static_cast<double>(n)),
          .max_iterations = static_cast<int>(std::min(kMostIterations, 10 * n)),
          .verify = false};
}

}  // namespace ulisse
