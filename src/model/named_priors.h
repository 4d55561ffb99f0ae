#pragma once

#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/kernel.h"

namespace ulisse {

// Priors as make_model() takes them, with places for names: "tau.water=..." is "tau.4=..." where
// the kernel has a tau for each input and water is the fourth. A number is always a place. Throws
// InputError when a parameter is named twice, and when a place could be counted with the features
// that were left out or without them.
std::vector<std::string> with_places(const std::vector<std::string>& priors, const Kernel& kernel,
                                     const Dataset& data, const std::string& option = "priors");

// "tau.age" of "tau.age = gamma(1,1)"; the last equals sign counts, since an input's name may have
// one. Everything where there is none, which make_model() refuses.
std::string parameter_in(const std::string& prior);

}  // namespace ulisse
