#pragma once

#include <random>

#include "ulisse/types.h"

namespace ulisse::testing {

// Standard normal entries, reproducible by seed.
inline Matrix normal_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix m(rows, cols);
  for (Index c = 0; c < cols; ++c) {
    for (Index r = 0; r < rows; ++r) m(r, c) = normal(generator);
  }
  return m;
}

}  // namespace ulisse::testing
