#pragma once

#include "posterior/climb.h"

namespace ulisse {

// ExactPosterior::hessian to within a thousandth, by half its gradients, where that at psi is
// known.
Matrix one_sided_hessian(const ExactPosterior& posterior, const Vector& psi, const Vector& gradient,
                         const Evaluated& evaluated);

}  // namespace ulisse
