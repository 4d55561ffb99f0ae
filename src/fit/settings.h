#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/option.h"

namespace ulisse {

class JsonReader;

// What decides what is written, apart from the data.
struct FitSettings {
  ModelOptions model;
  bool standardise = true;

  std::string sampler = {};        // one of sampler_kinds()
  std::string preset = "default";  // one of the sampler's

  // Of every sampler: run_options().
  long chains = 4, warmup = 500, draws = 1000;
  // Chains go on beyond `draws` until there are so many effective samples, but for no more than
  // max_draws. 0: as many as exact steps have by default, none for others; `draws` alone.
  long ess = 0, max_draws = 0;
  std::uint64_t seed = 1;
  std::string backend = kAutomaticBackend;
  double product_tolerance = 1e-10;  // of backends that leave pairs of points out
  bool save_warmup = false;

  OptionValues own;  // the sampler's, all of them
};

// The options that every sampler has.
const std::vector<Option>& run_options();

// Everything that a sampler and a preset say, for a table of n rows. Throws InputError.
FitSettings settings_for(const std::string& sampler, const std::string& preset, Index n);

// Sets the options named, of the run or of the settings' sampler. Throws InputError where a value
// is not what it must be, or where the sampler has no such option, and says which one has;
// `chosen`: the sampler was chosen for the user.
void set_options(const OptionValues& given, FitSettings& settings, bool chosen = false);

// Throws InputError when a setting is out of its range, whoever set it, or when settings do not go
// together.
void check(const FitSettings& settings);

// Throws InputError when the blocks of a sampler on stochastic gradients do not fit in memory for a
// table of n rows.
void check_sizes(const FitSettings& settings, Index n);

// Keys of what may change when a fit goes on, since its draws so far stay as they are; older
// versions did not write all of them.
inline constexpr std::array<const char*, 3> kOfTheGoal = {"draws", "ess", "max_draws"};

// Keys of what a model need not have. They are written only where it does.
const std::vector<std::string>& keys_of_other_models();

// Chains end after a number of iterations, warm-up included, whatever draws there are then.
bool runs_by_iterations(const FitSettings& settings);

// For fit.json and for telling two fits apart: the options of the run by their keys, those of the
// sampler in an object with its name.
nlohmann::ordered_json to_json(const FitSettings& settings);
FitSettings settings_from_json(const nlohmann::ordered_json& json);

// The same from a file. Throws InputError where a value is not what it must be, or, if `all` are
// wanted, missing; else those that an older version did not know are as they are by default.
FitSettings read_settings(const JsonReader& json, bool all);

// Options that somebody gives as JSON, for set_options(): each by its key, or those of the sampler
// in an object with its name, as fit.json has them. Throws InputError for what can be no option,
// and for an object of another sampler; `sampler` may be the choice among them.
OptionValues read_options(const JsonReader& json, const std::string& sampler);

}  // namespace ulisse
