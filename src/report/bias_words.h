#pragma once

#include <string>

#include "fit/bias_budget.h"

namespace ulisse {

// "standard error 0.012", of the bias by the step size.
std::string how_well_known(const BiasBudget& budget);

// A table.
std::string to_text(const BiasBudget& budget);

}  // namespace ulisse
