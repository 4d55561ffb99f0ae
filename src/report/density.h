#pragma once

#include "ulisse/types.h"

namespace ulisse {

// Where a density is drawn: evenly spaced, a little beyond the draws on both sides.
Vector density_grid(const ConstVector& draws, Index points);

// Gaussian kernel density estimate of the draws on that grid, with Silverman's bandwidth (R's
// bw.nrd0). Zero everywhere when all draws are the same.
Vector kernel_density(const ConstVector& draws, const ConstVector& grid);

}  // namespace ulisse
