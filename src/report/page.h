#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ulisse {

// One HTML file that shows report_data() and needs nothing else, neither files nor a network.
std::string report_page(const nlohmann::ordered_json& data);

}  // namespace ulisse
