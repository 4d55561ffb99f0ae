#pragma once

#include <vector>

#include "posterior/climb.h"
#include "ulisse/exact.h"
#include "ulisse/types.h"

namespace ulisse {

// Climbs that seem to have ended at one and the same mode.
inline bool is_near(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() < 0.3;
}

// Other modes than `home` of the posterior, or nearly so. Climbs begin far from home, which must
// have a covariance, on both sides of each parameter, the others where they are expected given that
// one.
std::vector<Vector> modes_around(const Mode& home, const ExactPosterior& posterior,
                                 const Evaluated& evaluated);

// Along the straight line from one to the other the density hardly falls below the lower of both:
// chains go it. Tops that only a curved ridge joins are taken for two pieces, which errs on the
// side of a warning.
bool are_of_one_piece(const ExactPosterior& posterior, const Climb& a, const Climb& b,
                      const Evaluated& evaluated);

// Tops of one piece, the highest first.
using Tops = std::vector<Climb>;
using Piece = std::vector<Mode>;

// From climbs in falling order of density: a climb belongs to a piece when it is joined to any of
// its tops. Pieces come in the order of their highest tops.
std::vector<Tops> joined(const ExactPosterior& posterior, const std::vector<Climb>& climbs,
                         const Evaluated& evaluated);

// The mode to go on with, and what is known of the other pieces: the highest top, or the heaviest
// top of the heaviest piece. A piece holds what all its tops do, by Laplace's method.
Mode best_of(const std::vector<Piece>& pieces, Top top);

}  // namespace ulisse
