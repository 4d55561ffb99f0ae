#pragma once

#include <string>

#include "ulisse/layout.h"

namespace ulisse {

// Priors of parameters that are given none are named by the version that had them first, and a fit
// keeps the name, so that it stays what it was. 0.1: Gamma(1, 1) on each parameter. 0.2: wide
// ones of standard deviations and length scales.
inline constexpr const char* kFirstDefaultPriors = "0.1";
inline constexpr const char* kDefaultPriors = "0.2";  // of this version

// Throws InputError where this version does not know them.
void set_default_priors(const std::string& since, Layout& layout);

}  // namespace ulisse
