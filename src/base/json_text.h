#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

inline nlohmann::ordered_json json_numbers(const ConstVector& v) {
  return std::vector<double>(v.begin(), v.end());
}

// Names of files and columns need not be UTF-8, and JSON must be: what is not is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ulisse
