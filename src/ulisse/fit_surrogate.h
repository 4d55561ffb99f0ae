#pragma once

#include "ulisse/surrogate.h"

namespace ulisse {

// The surrogate given gradients. Variances and lengths of its kernel are the most likely ones given
// them (of some, where there are many), sought from `start`.
Surrogate fit_surrogate(const Whitening& whitening, const Lessons& lessons,
                        const SurrogateKernel& start);

// The most likely kernel.
SurrogateKernel fit_kernel(const Whitening& whitening, const Lessons& lessons,
                           const SurrogateKernel& start);

}  // namespace ulisse
