#pragma once

#include <string>
#include <vector>

#include "base/option_names.h"
#include "fit/length_scales.h"
#include "fit/what_was_fitted.h"

namespace ulisse {

// "sigma, tau, lambda ~ gamma(1,1)": parameters of the same prior together.
std::string prior_text(const WhatWasFitted& fitted);

// Two lines; empty where nothing is known.
std::string to_text(const WhatWasFitted& fitted);

// A table.
std::string to_text(const std::vector<LengthScale>& scales,
                    OptionNames names = OptionNames::command_line);

}  // namespace ulisse
