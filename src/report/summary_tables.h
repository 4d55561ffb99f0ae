#pragma once

#include <string>

#include "base/option_names.h"
#include "fit/summary.h"

namespace ulisse {

// What was learnt in the units of the table, then the parameters.
std::string summary_tables(const FitSummary& summary, OptionNames names);

}  // namespace ulisse
