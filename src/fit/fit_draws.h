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
  std::vector<long> lengths;  // of each chain's file

  Index draws() const { return products.rows(); }
  Index chains() const { return products.cols(); }
};

// Empty when no chain has been written yet. Parameters are those of the record, whatever the order
// of a file's columns. Throws InputError where a file is missing, or has others.
FitDraws read_draws(const FitFolder& folder, const FitRecord& record);

// All of it as psi, (draws of all chains, parameters), chain after chain, each with its own length.
Matrix read_psi(const FitFolder& folder, const FitRecord& record);

}  // namespace ulisse
