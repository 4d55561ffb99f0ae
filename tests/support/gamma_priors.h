#pragma once

#include <string>
#include <vector>

namespace ulisse::testing {

// Gamma(1, 1) on each parameter: what numbers in tests were found with.
inline const std::vector<std::string> kGammaPriors = {"sigma=gamma(1,1)", "tau=gamma(1,1)",
                                                      "lambda=gamma(1,1)"};

}  // namespace ulisse::testing
