#pragma once

#include <algorithm>
#include <string>

namespace ulisse {

// --probe-count, for probe_count.
inline std::string flag_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

}  // namespace ulisse
