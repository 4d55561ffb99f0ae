#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/ulisse_settings.h"

namespace ulisse {

class JsonReader;

// Settings of the sampler sgld; see SgldOptions and StochasticGradientOptions.
struct SgldSettings {
  int probes = 4;
  std::string probe_kind = "preconditioned";
  long rank = 0;  // of the preconditioner; 0: none
  double q = 0.1;
  std::string truncation = "exp(1)";
  std::string step_rule = "noise";
  double first_step = 0.1, last_step = 1e-4;
  long schedule = 40000;
  double noise_ratio = 0.02;
  std::string noise_from = "probes";
  long batch = 100, redraw_every = 1;
  long subset = 1000;        // rows for the mode and for M
  bool scale_metric = true;  // M times subset/n, which is what the full data's would be
  long iterations = 0;       // in all, instead of draws
  // What the paper leaves open.
  std::string warm_start = "iterate";  // see WarmStart
  std::string y_start = "solved";      // y's system when a chain begins; or zero
  double longest_drift = 3;            // see SgldOptions
};

// What decides what is written, apart from the data.
struct FitSettings {
  std::string kernel = "rbf";
  std::vector<std::string> priors;
  bool standardise = true;
  std::string sampler = "mh";      // ulisse, sgld, mh, nuts
  std::string preset = "default";  // or paper
  long chains = 4, warmup = 500, draws = 1000;
  std::uint64_t seed = 1;
  std::string backend = kAutomaticBackend;
  double product_tolerance = 1e-10;  // of the backends kdtree and anchors
  bool save_warmup = false;          // in files of their own
  SgldSettings sgld;
  UlisseSettings ulisse;
};

// Everything that a sampler and a preset say, for a table of n rows. Throws InputError.
FitSettings settings_for(const std::string& sampler, const std::string& preset, Index n);

// The priors of a preset, but for the parameters that `given` sets, then those given.
std::vector<std::string> priors_of(const std::string& preset,
                                   const std::vector<std::string>& given);

// Throws InputError when settings do not go together.
void check(const FitSettings& settings);

// For fit.json and for telling two fits apart.
nlohmann::ordered_json to_json(const FitSettings& settings);
FitSettings settings_from_json(const nlohmann::ordered_json& json);

// The same from a file. Throws InputError where a value is not what it must be, or, if `all` are
// wanted, missing; else those that an older version did not know are as they are by default.
FitSettings read_settings(const JsonReader& json, bool all);

}  // namespace ulisse
