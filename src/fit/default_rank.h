#pragma once

#include <algorithm>

#include "ulisse/types.h"

namespace ulisse {

// Of the preconditioner: n/5 where that is small; at most 1000, and at most a gigabyte for L and Q.
inline long default_rank(Index n) {
  const double by_memory = 1e9 / (2 * sizeof(double) * static_cast<double>(n));
  return std::max(1L, std::min({static_cast<long>(n) / 5, 1000L, static_cast<long>(by_memory)}));
}

}  // namespace ulisse
