#pragma once

#include "ulisse/model.h"

namespace ulisse {

// The mean that the options' trend stands for. Throws InputError.
Mean parse_trend(const ModelOptions& options, const Dataset& data);

}  // namespace ulisse
