#pragma once

#include "ulisse/types.h"

namespace ulisse::diagnose {

// s_t = 1/n sum_i (x_i - mean)(x_{i+t} - mean), each chain about its own mean, averaged over
// chains; t = 0, ..., n - 1.
Vector mean_autocovariance(const ConstBlock& chains);

}  // namespace ulisse::diagnose
