#include "data/text.h"

#include <cstddef>

namespace ulisse::csv {

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  while (!text.empty() && result.size() <= longest) move_printable(text, result);
  return result + (text.empty() ? "'" : "...'");
}

}  // namespace ulisse::csv
