#pragma once

#include <string>

namespace ulisse::cli {

// "90", "90s", "10m", "1.5h" in seconds; 0 for an empty text. Throws InputError, naming the option.
double parse_duration(const std::string& option, const std::string& text);

}  // namespace ulisse::cli
