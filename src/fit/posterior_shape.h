#pragma once

#include "fit/setup_work.h"
#include "fit/ulisse_setup.h"

namespace ulisse {

// The mode of all rows, the solutions and the gradient there, the posterior's curvature and how far
// from Gaussian it is, and coordinates in which it is less so.
void find_shape(SetupWork& work, UlisseSetup& out);

}  // namespace ulisse
