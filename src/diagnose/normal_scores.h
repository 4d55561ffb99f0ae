#pragma once

#include "ulisse/types.h"

namespace ulisse::diagnose {

// Each draw replaced by the normal quantile of its rank among all, equal draws sharing the mean of
// their ranks. Heavy tails are tame then, and a monotone map of the draws changes nothing. Infinite
// draws have ranks like any other; draws with a NaN are returned as they are.
Matrix normal_scores(const ConstBlock& draws);

}  // namespace ulisse::diagnose
