#pragma once

#include "ulisse/model.h"

namespace ulisse {

// The mean that the options' trend stands for. Throws InputError.
Mean parse_trend(const ModelOptions& options, const Dataset& data);

// What ModelOptions::trend says of a mean, as far as that can be said.
std::vector<std::string> trend_words(const Mean& mean, const Dataset& data);

// For help texts: what the words of a trend may be.
inline constexpr const char* kTrendHelp =
    "A linear trend whose coefficients are integrated out: constant, linear (all inputs that are "
    "numbers), or names of inputs, such as lat,lon. Default none";

}  // namespace ulisse
