#pragma once

#include <algorithm>
#include <cmath>

#include "ulisse/solve.h"

namespace ulisse {

// Solves for gradients that stand for exact ones, to `relative_tolerance` |y|: all scales with y. A
// residual r leaves an error of r'K^-1 r, up to |r|^2/lambda, in y'K^-1 y: with hardly any noise it
// must be smaller. A solve that takes more iterations than these, with a preconditioner that is
// nearly right, hardly ever converges.
inline CgOptions precise_solves(const ConstVector& y, double noise_variance,
                                double relative_tolerance = 1e-4) {
  constexpr double kNoiseShareOfLooserSolves = 1e-4;  // lambda, of the variance of y
  constexpr Index kMaxIterations = 1000;
  const double variance = y.squaredNorm() / static_cast<double>(y.size());
  const double noise =
      std::min(1.0, std::sqrt(noise_variance / (kNoiseShareOfLooserSolves * variance)));
  return {.tolerance = relative_tolerance * noise * y.norm(),
          .max_iterations = static_cast<int>(std::min(kMaxIterations, 10 * y.size())),
          .verify = false};
}

}  // namespace ulisse
