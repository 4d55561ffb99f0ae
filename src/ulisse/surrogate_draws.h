#pragma once

#include <cstdint>

#include "ulisse/surrogate.h"

namespace ulisse {

// Draws of a surrogate by NUTS, nearly independent, one a column, (parameters, count).
Matrix draws_of(const Surrogate& surrogate, Index count, std::uint64_t seed, std::uint64_t number);

}  // namespace ulisse
