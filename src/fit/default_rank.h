#pragma once

#include <algorithm>

#include "base/memory.h"
#include "ulisse/types.h"

namespace ulisse {

// Of the preconditioner: n/5 where that is small; at most 1,000, and at most so many that L and Q
// take an eighth of the machine's memory, or a gigabyte. With many rows a product takes so much
// longer than any such preconditioner that memory alone limits it: at 1,000,000 rows and 8 inputs
// rank 1,000 adds half a per cent to an iteration of 5 columns.
inline long default_rank(Index n) {
  const double bytes = std::max(1e9, static_cast<double>(machine_memory_bytes()) / 8);
  const double by_memory = bytes / (2 * sizeof(double) * static_cast<double>(n));
  return std::max(1L, std::min({static_cast<long>(n) / 5, 1000L, static_cast<long>(by_memory)}));
}

}  // namespace ulisse
