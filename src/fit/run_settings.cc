#include "fit/run_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/limits.h"
#include "base/option_names.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::vector<std::string> backends() {
  std::vector<std::string> names = covariance_backends();
  names.insert(names.begin(), kAutomaticBackend);
  return names;
}

// Whatever the sampler: a name that is mistyped must not wait for the run that needs it.
void require_backend(const std::string& name) {
  const std::vector<std::string> known = backends();
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw InputError(
      fmt::format("{}: '{}' is none of {}", option_named("backend"), name, fmt::join(known, ", ")));
}

// How many chains and draws.
SettingTable<FitSettings> count_settings() {
  return {
      {{.key = "chains",
        .help = "Chains, started apart from each other",
        .range = {1, limits::chains},
        .group = OptionGroup::run},
       &FitSettings::chains},
      {{.key = "warmup",
        .help = "Iterations that are not kept; for sgld the most of them",
        .range = {0, limits::iterations},
        .group = OptionGroup::run},
       &FitSettings::warmup},
      {{.key = "draws",
        .help = "Draws kept of each chain; more of them can be added when a fit is resumed",
        .range = {1, limits::iterations},
        .group = OptionGroup::run},
       &FitSettings::draws},
      {{.key = "ess",
        .help = "Chains go on until each parameter has so many effective samples, bulk and tail, "
                "and an R-hat below 1.01",
        .range = {0, limits::iterations},
        .group = OptionGroup::run,
        .automatic = "1000 where steps are exact and the number of draws is not given, else none"},
       &FitSettings::ess},
      {{.key = "max_draws",
        .help = "Draws of each chain after which they end without",
        .range = {0, limits::iterations},
        .group = OptionGroup::run,
        .automatic = "20 times the draws at first up to 1000 rows, else 4 times"},
       &FitSettings::max_draws}};
}

SettingTable<FitSettings> other_settings() {
  return {
      {{.key = "seed",
        .help =
            "Seed; the same seed gives the same draws on any number of threads, for one sampler "
            "and backend",
        .range = {0, 9e18},
        .group = OptionGroup::run},
       &FitSettings::seed},
      {{.key = "backend",
        .help = fmt::format("Backend of the products, for samplers that take products: {}; auto "
                            "times them",
                            fmt::join(backends(), ", ")),
        .check_text = require_backend},
       &FitSettings::backend},
      {{.key = "product_tolerance",
        .help = "Error of each value of K, relative to sigma + K, for backends that leave out what "
                "is negligible",
        .range = {.least = 0, .most = 1, .below_most = true}},
       &FitSettings::product_tolerance},
      {{.key = "save_warmup",
        .help = "Keep the iterations of warm-up, too, in warmup_1.csv, ...",
        .group = OptionGroup::output},
       &FitSettings::save_warmup}};
}

}  // namespace

const SettingTable<FitSettings>& run_settings() {
  static const SettingTable<FitSettings> table =
      joined<FitSettings>({count_settings(), other_settings()});
  return table;
}

const std::vector<Option>& run_options() {
  static const std::vector<Option> options = options_of(run_settings());
  return options;
}

}  // namespace ulisse
