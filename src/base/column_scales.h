#pragma once

#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// For each column the power of two just below its largest element, 0 for a column of zeros, 1 for
// one with elements that are not finite. Divided by it, elements are below 2, and lose no bit.
std::vector<double> column_scales(const ConstBlock& x);

}  // namespace ulisse
