#pragma once

#include <string>

#include "fit/what_was_fitted.h"

namespace ulisse {

// "sigma, tau, lambda ~ gamma(1,1)": parameters of the same prior together.
std::string prior_text(const WhatWasFitted& fitted);

// "constant, lat, lon; coefficients ~ normal(0,10)"; empty where there is none.
std::string trend_text(const WhatWasFitted& fitted);

// Two lines; empty where nothing is known.
std::string to_text(const WhatWasFitted& fitted);

}  // namespace ulisse
