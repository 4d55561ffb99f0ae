#pragma once

#include <cctype>
#include <string>

namespace ulisse {

// A name as chain files can have it: their readers take points for the indices of arrays, and
// commas for the next column.
inline std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return name;
}

}  // namespace ulisse
