#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ulisse {

// The name that `name` is most likely a slip of: at most a third of its letters differ, capitals
// aside.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> names);

// " (did you mean 'water'?)", or nothing when no name is near.
std::string did_you_mean(std::string_view name, std::span<const std::string> names);

}  // namespace ulisse
