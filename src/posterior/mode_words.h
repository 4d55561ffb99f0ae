#pragma once

#include <string>

#include "ulisse/exact.h"

namespace ulisse {

// "climbing on 2500 rows": what a search for the mode is doing.
std::string stage_words(const ModeProgress& now);

// The same, and how far it is: "climbing on 2500 rows, 7 evaluations, best log posterior -123.4".
std::string to_words(const ModeProgress& now);

}  // namespace ulisse
