#pragma once

#include <vector>

#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// Where searches for the mode begin, by the moments of the data alone.
std::vector<Vector> starting_points(const Model& model, const ConstBlock& x, const ConstVector& y);

}  // namespace ulisse
