#pragma once

#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace ulisse {

// The names of an enumeration's values, for those who write and read them.
template <class Code>
struct CodeNames {
  std::vector<std::pair<Code, std::string_view>> all;

  // Throws std::invalid_argument for one that has none.
  std::string_view of(Code code) const {
    for (const auto& [known, name] : all) {
      if (known == code) return name;
    }
    throw std::invalid_argument("a code without a name");
  }

  std::vector<Code> codes() const {
    std::vector<Code> found;
    for (const auto& each : all) found.push_back(each.first);
    return found;
  }
};

}  // namespace ulisse
