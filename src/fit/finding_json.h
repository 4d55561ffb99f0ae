#pragma once

#include <nlohmann/json_fwd.hpp>

#include "ulisse/findings.h"

namespace ulisse {

// {"code", "values", "parameters", "remedies": [{"option", "change", "value"}]}; a number that is
// not finite is null.
nlohmann::ordered_json to_json(const std::vector<Finding::Named>& values);
nlohmann::ordered_json to_json(const Finding& finding);
nlohmann::ordered_json to_json(const Findings& findings);

}  // namespace ulisse
