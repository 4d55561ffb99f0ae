#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/archive.h"
#include "fit/chains.h"
#include "fit/folder.h"
#include "store/checkpoint.h"

namespace ulisse {

// How far a fit had come at its last checkpoint, as far as can be known without its chains. It was
// compared with the files that it refers to, and nothing has been changed.
struct SavedRun {
  RunState state;
  std::vector<std::uint64_t> sizes, warmup_sizes;  // of the files of draws, and of warm-up
  std::vector<Matrix> theta;                       // of each chain, (draws, parameters)
  // Columns of each chain's file besides; none where an older version began it.
  std::vector<std::vector<std::string>> quantities;
  std::vector<bool> noise;  // whether it has that of the steps
  ArchiveReader chains;     // their states, yet to be read
};

// What the saved files must agree with.
struct SavedRunLimits {
  StateOwner owner;
  int chains = 0;
  std::vector<std::string> parameters;
  std::vector<std::string> quantities;  // or none of them
};

// Throws InputError when the checkpoint is damaged, or another's, or does not go with the chains.
SavedRun read_saved_run(const FitFolder& folder, const SavedRunLimits& limits);

// Gives the chains their states. Throws InputError when they are not of these chains.
void load_chains(SavedRun& saved, FitChains& chains, const std::string& file);

}  // namespace ulisse
