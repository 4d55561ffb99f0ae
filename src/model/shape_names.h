#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ulisse/shape.h"

namespace ulisse {

inline constexpr const char* kPeriodic = "periodic";

// "rbf", "matern32-ard", ...
std::string name_of(Shape shape, bool ard);

// The shape, and whether it is with one tau an input; nothing where there is none of that name.
std::optional<std::pair<Shape, bool>> shape_named(const std::string& name);

std::vector<std::string> shape_names();

}  // namespace ulisse
