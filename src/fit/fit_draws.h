#pragma once

#include <string>
#include <vector>

#include "fit/fit_files.h"
#include "fit/fit_record.h"
#include "store/chain_file.h"
#include "ulisse/types.h"

namespace ulisse {

// The draws of all chains of a fit, each chain as long as the shortest: after a crash they may have
// been written to different lengths.
struct FitDraws {
  std::vector<std::string> parameters;
  std::vector<Matrix> theta;  // for each parameter (draws, chains)
  // What follows from them in the units of the table; none where fit.json has no table.
  std::vector<std::string> quantities;
  std::vector<Matrix> values;  // for each quantity (draws, chains)
  Matrix products;             // (draws, chains)
  Matrix log_density;          // of psi, (draws, chains)
  // With Langevin's steps: of each chain the noise in them, (draws, parameters). Else none.
  std::vector<Matrix> noise;
  long divergent = 0;
  std::vector<long> lengths;  // of each chain's file

  Index draws() const { return products.rows(); }
  Index chains() const { return products.cols(); }
};

// All chains, or none where none has been written yet, or warm-up has not come to its end in all of
// them. Parameters are those of the record, whatever the order of a file's columns. Throws
// InputError where a file is missing, or has others.
std::vector<ChainDraws> read_chains(const FitFiles& files, const FitRecord& record);

// Quantities are those of the files; what follows from psi is computed where files do not have it.
FitDraws draws_of(const std::vector<ChainDraws>& chains, const FitRecord& record);

// All of it as psi, (draws of all chains, parameters), chain after chain, each with its own length.
Matrix psi_of(const std::vector<ChainDraws>& chains);

}  // namespace ulisse
