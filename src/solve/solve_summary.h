#pragma once

#include "ulisse/solve.h"

namespace ulisse {

// The worst stop and residual of the columns, and the most iterations, which are the block's.
void add_up_columns(SolveSummary& summary);

}  // namespace ulisse
