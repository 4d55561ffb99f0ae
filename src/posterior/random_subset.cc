#include <algorithm>
#include <numeric>

#include "ulisse/exact.h"
#include "ulisse/random.h"

namespace ulisse {

// The first steps of a Fisher-Yates shuffle.
Indices random_subset(Index n, Index count, std::uint64_t seed) {
  Indices all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  if (count >= n) return all;
  Rng rng = stream(seed, 0, Purpose::subset);
  for (Index i = 0; i < count; ++i) std::swap(all[i], all[i + rng.below(n - i)]);
  all.resize(static_cast<std::size_t>(count));
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace ulisse
