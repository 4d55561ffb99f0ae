#pragma once

#include "predict/saved_fit.h"

namespace ulisse {

// How many rows of a table, not scaled, whose target is known, have the inputs and the target of a
// row that the fit was made from.
Index rows_of_fit(const SavedFit& fit, const Dataset& table);

}  // namespace ulisse
