#pragma once

#include <string>
#include <vector>

#include "ulisse/model.h"

namespace ulisse {

// What a user may not expect of a model, a sentence each: terms or factors of its kernel that the
// data cannot tell apart.
std::vector<std::string> notes_on(const Model& model);

}  // namespace ulisse
