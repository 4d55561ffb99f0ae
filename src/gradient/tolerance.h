#pragma once

#include <algorithm>
#include <cmath>

#include "ulisse/types.h"

namespace ulisse {

// A residual r leaves an error of r'K^-1 r, up to |r|^2/lambda, in y'K^-1 y: with hardly any noise
// it must be smaller, and tolerances that do for more are multiplied by this.
inline double share_for_little_noise(const Vector& psi) {
  constexpr double kLittle = 1e-4;
  const double lambda = std::exp(psi(psi.size() - 1));
  return std::min(1.0, std::sqrt(lambda / kLittle));
}

}  // namespace ulisse
