#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fit/sampler_kind.h"

namespace ulisse::cli {

// The options of a run and of all samplers, as the registry has them: one on the command line for
// each key, whichever samplers share it.
class FitOptionSet {
 public:
  FitOptionSet();

  // Each under its heading; those of sgld alone come last.
  void add_to(CLI::App& app);

  // What was given, by key. Throws InputError for an option that the sampler named has not; whose
  // name may be auto.
  OptionValues given(const std::string& sampler) const;

 private:
  struct Shared {
    std::vector<std::string> samplers;  // empty: all of them
    std::vector<Option> options;        // of each of these
    std::string text;                   // as it was given
    std::vector<CLI::Option*> added;    // under its name, and under older ones

    const Option& first() const { return options.front(); }
  };

  void collect(const Option& option, const std::string& sampler);
  static void add(CLI::App& app, Shared& shared, const std::string& flag, bool former);

  std::vector<std::unique_ptr<Shared>> all_;
};

}  // namespace ulisse::cli
