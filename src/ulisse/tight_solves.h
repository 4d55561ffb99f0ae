#pragma once

#include <algorithm>
#include <cmath>

#include "ulisse/solve.h"

namespace ulisse {

// Solves for gradients that stand for exact ones, to `tightness` |y|: all scales with y. A
// residual r leaves an error of r'K^-1 r, up to |r|^2/lambda, in y'K^-1 y: with hardly any noise it
// must be smaller. Who needs more iterations, with a preconditioner that is nearly right, will
// hardly come to an end, and nothing can be interrupted meanwhile.
inline CgOptions tight_solves(const ConstVector& y, double noise_variance,
                              double tightness = 1e-4) {
  constexpr double kLittleNoise = 1e-4;  // of the variance of y
  constexpr Index kMostIterations = 1000;
  const double variance = y.squaredNorm() / static_cast<double>(y.size());
  const double noise = std::min(1.0, std::sqrt(noise_variance / (kLittleNoise * variance)));
  return {.tolerance = tightness * noise * y.norm(),
          .max_iterations = static_cast<int>(std::min(kMostIterations, 10 * y.size())),
          .verify = false};
}

}  // namespace ulisse
