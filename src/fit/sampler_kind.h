#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fit/chains.h"
#include "fit/sampler_costs.h"
#include "fit/settings.h"

namespace ulisse {

// The columns of n rows that a sampler on stochastic gradients keeps, and the options that say how
// many.
struct SamplerBlocks {
  std::string option;  // key
  long columns = 0;    // that are solved for together
  long rank = 0;       // of the preconditioner
};

// A sampler as everybody else knows it: the command line, Python and fit.json read its options
// here, and a fit makes its chains. One that is added to the registry is offered everywhere.
struct SamplerKind {
  std::string name;
  std::string about;  // for lists of samplers, a sentence without its full stop

  // Draws follow the exact density, whatever the mode that chains started from; n^2 numbers.
  bool exact = true;
  bool jumps_between_modes = false;  // where the search for the mode has found two
  bool follows_gradients = true;     // and so serves any number of parameters
  bool measures_bias = true;         // its own, where it has one
  std::vector<std::string> presets = {"default"};
  std::vector<Option> options = {};  // of its own, with the defaults of the default preset

  // Fills in what the settings' preset says for n rows; the sampler's own options, too.
  std::function<void(FitSettings&, Index n)> set_defaults = {};
  // Throws InputError when options do not go together. Ranges have been looked at. May be empty.
  std::function<void(const FitSettings&)> check = {};
  // What one option that is given says of others. May be empty.
  std::function<void(const OptionValues& given, FitSettings&)> reconcile = {};
  // May be empty.
  std::function<SamplerBlocks(const FitSettings&)> blocks = {};

  // What the default numbers of draws would take; infinite where it is not meant for such a model.
  // Empty for one that `auto` never chooses.
  std::function<double(const SamplerCosts&, Index n, Index parameters)> expected_seconds = {};
  // The same where its steps have to be exact; not a number where they will not be. May be empty.
  std::function<double(const SamplerCosts&, Index n, Index parameters)> seconds_of_exact_steps = {};

  std::function<std::unique_ptr<FitChains>(const FitSettings&, const Model&, const Dataset&,
                                           const ChainsContext&)>
      make = {};
};

// All of them, in the order in which they are listed; where one stands it stays.
const std::deque<SamplerKind>& sampler_kinds();

// Throws InputError that lists the names.
const SamplerKind& sampler_kind(const std::string& name);
// Null where there is none of that name.
const SamplerKind* find_sampler_kind(const std::string& name);

// What is advised where another sampler's draws are in doubt: the name of one that is exact for any
// number of parameters, and of one that jumps between modes.
std::string exact_sampler();
std::string mode_jumping_sampler();

// From now on there is one more, before any fit is running. Throws std::invalid_argument when the
// name is taken, or stands for the choice among them.
void register_sampler(SamplerKind kind);

// The name that stands for the choice among them.
inline const std::string kAutomaticSampler = "auto";

// The names of those with an option of that key.
std::vector<std::string> samplers_with(const std::string& key);

// What is built in.
SamplerKind metropolis_kind();
SamplerKind nuts_kind();
SamplerKind sgld_kind();
SamplerKind ulisse_kind();

}  // namespace ulisse
