#pragma once

#include "fit/settings.h"

namespace ulisse {

// Throws InputError for a setting that is out of its range, whoever set it: the command line, a
// configuration, Python, or a fit.json that was edited. Those of other samplers are not looked at.
void check_ranges(const FitSettings& settings);

// Throws InputError when the blocks of a sampler on stochastic gradients do not fit in memory for a
// table of n rows.
void check_sizes(const FitSettings& settings, Index n);

}  // namespace ulisse
