#pragma once

#include <string>
#include <vector>

#include "base/option_names.h"
#include "ulisse/findings.h"

namespace ulisse {

// "take more --draws, a longer --warmup or another --sampler"; empty where there are none.
std::string advice(const std::vector<Finding::Remedy>& remedies, OptionNames names);

}  // namespace ulisse
