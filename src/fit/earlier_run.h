#pragma once

#include <optional>
#include <string>

#include "fit/saved_run.h"

namespace ulisse {

// What --resume goes on from. Reading it changes nothing.
struct EarlierRun {
  nlohmann::ordered_json json;    // its fit.json
  std::string backend;            // that it has chosen; empty where it has not come so far
  double seconds_setup = 0;       // of all runs so far
  std::optional<SavedRun> saved;  // nothing where it has not come to its first checkpoint

  // Draws are being added: till they are there, fit.json must not say that all are.
  bool has_other_goal(const nlohmann::ordered_json& here) const;
};

// Whether nothing is left to do. Throws InputError that says in what the fit there and the one
// described differ.
bool is_complete(const FitFolder& folder, const nlohmann::ordered_json& here);

// Throws InputError where the fit cannot go on: with other settings or data, without a file that it
// needs, with one that is damaged, another's or a link. `here` is told what was decided when the
// fit began: where the table came from, and whether it and the warm-up are kept.
EarlierRun read_earlier_run(const FitFolder& folder, const SavedRunLimits& limits,
                            nlohmann::ordered_json& here);

}  // namespace ulisse
