#pragma once

#include "fit/folder.h"

namespace ulisse {

// Throws InputError where the settings of the fit in the folder have names of an older version,
// such as 0.1.0: its draws are read, but its chains cannot go on.
void refuse_older_settings(const FitFolder& folder, const nlohmann::ordered_json& there);

}  // namespace ulisse
