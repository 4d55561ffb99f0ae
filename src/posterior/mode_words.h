#pragma once

#include <string>

#include "ulisse/exact.h"
#include "ulisse/model.h"

namespace ulisse {

// "climbing on 2500 rows": what a search for the mode is doing.
std::string stage_words(const ModeProgress& now);

// The same, and how far it is: "climbing on 2500 rows, 7 evaluations, best log posterior -123.4".
std::string to_words(const ModeProgress& now);

// Why a search cannot begin, and what helps.
std::string no_density_words(const Model& model, const std::string& rejection);

}  // namespace ulisse
