#pragma once

#include <string>
#include <vector>

#include "fit/folder.h"
#include "ulisse/types.h"

namespace ulisse {

// The draws of all chains of a fit, each chain as long as the shortest: after a crash they may have
// been written to different lengths.
struct FitDraws {
  std::vector<std::string> parameters;
  std::vector<Matrix> theta;  // for each parameter (draws, chains)
  Matrix products;            // (draws, chains)
  long divergent = 0;

  Index draws() const { return products.rows(); }
  Index chains() const { return products.cols(); }
};

// Empty when no chain has been written yet.
FitDraws read_draws(const FitFolder& folder, long chains);

}  // namespace ulisse
