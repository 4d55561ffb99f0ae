#pragma once

#include "ulisse/types.h"

namespace ulisse {

// Of each row, that preconditioners look at where nobody says how many.
constexpr Index kUsualNeighbours = 30;

}  // namespace ulisse
