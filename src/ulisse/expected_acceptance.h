#pragma once

#include "ulisse/learn_surrogate.h"

namespace ulisse {

// The share of independent proposals by a surrogate that Metropolis steps on the exact density
// would accept, from exact densities at some draws of it, the same each time. 0 where none can be
// computed.
double expected_acceptance(const SetupProblem& problem, const Learning& learnt);

}  // namespace ulisse
