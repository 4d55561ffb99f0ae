#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ulisse/model.h"

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

// Settings of the sampler ulisse. 0 and "auto" are found out before sampling.
struct UlisseSettings {
  long rank = 1000;  // of the preconditioner, at most
  long bank = 32;    // probes with solutions at the anchor
  long probes = 4;   // of the bank, for each gradient
  double q = 0;      // ULISSE begins to cut at |r| < q |y|
  // Solves start so close to their solutions that noise of cutting is small: cut sooner than by
  // matched, but below the power 4/3, beyond which fourth moments are infinite and V is hard to
  // see.
  std::string truncation = "matched(1.3)";
  double step = 0;             // eps
  std::string trace = "auto";  // at the anchor: exact, or by probes
  double trace_error = 0.05;   // of probes: enough, in posterior standard deviations,
  long trace_probes = 1024;    // or so many of them
  long subset = 2000;          // rows for the first mode
  long exact_rows = 300;       // up to so many, steps are exact: they take no time;
  long careful_rows = 1000;    // up to so many sooner than elsewhere: they take minutes at most
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
  std::string backend = "auto";
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
