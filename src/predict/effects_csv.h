#pragma once

#include <string>

#include "ulisse/effects.h"

namespace ulisse {

// The text of effects.csv; docs/reference/formats.md describes it.
std::string effects_csv(const Fit& fit, const Effects& effects);

}  // namespace ulisse
