#pragma once

#include <limits>

#include "ulisse/types.h"

namespace ulisse::diagnose {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// Halves as chains of their own: all first halves, then all second halves, (draws / 2, 2 chains).
// The middle of an odd number of draws is left out.
Matrix split_chains(const ConstBlock& draws);

// |x - median|: chains that agree in location and differ in scale differ here in location.
Matrix folded(const ConstBlock& draws);

// All draws, chain after chain.
Vector pooled(const ConstBlock& draws);

// There are no draws, one is not finite, or all are the same.
bool nothing_to_say(const ConstBlock& draws);

}  // namespace ulisse::diagnose
