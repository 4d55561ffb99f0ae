#pragma once

#include <string>
#include <vector>

#include "ulisse/model.h"

namespace ulisse {

// What a user may not expect of a model, a sentence each: terms or factors of its kernel that the
// data cannot tell apart, and options that do nothing.
//
// raw: the table before it is scaled, of which rows are looked at where `standardised` is false.
// The prior of a trend is in its units then, and may be too narrow for them.
std::vector<std::string> notes_on(const Model& model, const Dataset& raw, bool standardised);

}  // namespace ulisse
