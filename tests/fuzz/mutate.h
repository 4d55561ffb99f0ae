#pragma once

#include <string>
#include <vector>

#include "ulisse/random.h"

namespace ulisse::fuzz {

// A few random changes of one of `pool`: bits, bytes, pieces gone, twice or from another one, and
// values in place of numbers and words. The same stream gives the same text.
std::string mutated(const std::vector<std::string>& pool, Rng& rng);

}  // namespace ulisse::fuzz
