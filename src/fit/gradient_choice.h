#pragma once

#include "fit/setup_work.h"
#include "fit/ulisse_setup.h"

namespace ulisse {

// How gradients are estimated while sampling, by the noise and the errors measured around the mode:
// probes, step, products in float, where solves are cut.
void choose_gradient(const SetupWork& work, UlisseSetup& out);

}  // namespace ulisse
