#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ulisse/exact.h"
#include "ulisse/types.h"

namespace ulisse {

struct Climb {
  Vector psi;
  double log_density;
  bool converged;
  std::string message;  // in words, how it ended
};

// Called after each evaluation with the best log density so far.
using Evaluated = std::function<void(double)>;

// Climbs the log posterior by BFGS until no element of the gradient exceeds the tolerance. Nothing
// when not even the start has a density. With `factor` the search, and its gradient, are in z with
// psi = factor z (lower triangular), which takes fewer steps where that makes the posterior round.
std::optional<Climb> climb(const ExactPosterior& posterior, const Vector& start,
                           double gradient_tolerance, const Evaluated& evaluated);
std::optional<Climb> climb(const ExactPosterior& posterior, const Matrix& factor,
                           const Vector& start, double gradient_tolerance,
                           const Evaluated& evaluated);

}  // namespace ulisse
