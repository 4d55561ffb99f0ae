#pragma once

#include "posterior/climb.h"

namespace ulisse {

// Of that at a mode: with more rows a gradient takes a second, and twice as many change the third
// digit.
inline bool hessian_takes_both_sides(Index rows) {
  constexpr Index kMost = 2000;
  return rows <= kMost;
}
inline Index hessian_evaluations(Index rows, Index parameters) {
  return hessian_takes_both_sides(rows) ? 2 * parameters : parameters;
}

// ExactPosterior::hessian to within a thousandth, by half its gradients, where that at psi is
// known.
Matrix one_sided_hessian(const ExactPosterior& posterior, const Vector& psi, const Vector& gradient,
                         const Evaluated& evaluated);

}  // namespace ulisse
