#pragma once

#include <string>
#include <string_view>

#include "base/printable.h"

namespace ulisse::csv {

// Drops spaces and tabs at both ends, and line ends, which only a quoted field can hold.
inline std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// For messages: printable, in single quotes, and cut when long.
std::string shown(std::string_view text);

}  // namespace ulisse::csv
