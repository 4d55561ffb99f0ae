#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ulisse {

// 16 hexadecimal digits of what decides a chain's states: the data, the parameters with their
// priors, and the settings but for how many draws there are to be and what of warm-up is kept.
// `description` is that of describe_fit, or fit.json's. Two fits with the same identity have the
// same draws, so that a state of one serves the other.
std::string fit_identity(const nlohmann::ordered_json& description);

}  // namespace ulisse
