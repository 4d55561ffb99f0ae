#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ulisse {

// A short name for a fit, "fit-" and eight hexadecimal digits, by what is in its fit.json: it
// changes with the data and with every setting that draws depend on, and stays when draws are added
// or the folder is moved. Distinguishes fits; no protection against forgery.
std::string fit_id(const nlohmann::ordered_json& fit);

}  // namespace ulisse
