#pragma once

#include <vector>

#include "gradient/climb.h"
#include "ulisse/exact.h"
#include "ulisse/types.h"

namespace ulisse {

// Climbs that seem to have ended at one and the same mode.
inline bool is_near(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() < 0.3;
}

// Places from which a climb may reach a mode other than `mode`, which must have a covariance.
// Climbs on `small`, a posterior of some of the n rows, begin far from the mode on both sides of
// each parameter, the others where they are expected given that one.
std::vector<Vector> starts_around(const Mode& mode, Index n, const ExactPosterior& small,
                                  const Evaluated& evaluated);

// There is a way from one to the other on which the density hardly falls below the lower of both:
// chains go it.
bool are_of_one_piece(const ExactPosterior& posterior, const Climb& a, const Climb& b,
                      const Evaluated& evaluated);

}  // namespace ulisse
