#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "ulisse/findings.h"

namespace ulisse {

// Null where there is none of that name, or one of another kind.
template <class T>
const T* value_named(std::string_view name, const std::vector<Finding::Named>& values) {
  for (const Finding::Named& each : values) {
    if (each.name == name) return std::get_if<T>(&each.value);
  }
  return nullptr;
}

}  // namespace ulisse
