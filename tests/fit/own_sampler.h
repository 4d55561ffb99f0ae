#pragma once

#include "fit/sampler_kind.h"

namespace ulisse::testing {

// A sampler that is not in src/: independent draws from the Gaussian at the mode, its standard
// deviations times the option `widening`. Every program of these tests knows it.
SamplerKind gaussian_kind();

}  // namespace ulisse::testing
