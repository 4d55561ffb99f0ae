#include "fit/older_fit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
#include "fit/sampler_kind.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

bool has_former_keys(const Json& settings) {
  const std::string sampler = settings.at("sampler");
  if (!settings.contains(sampler)) return false;
  const Json& own = settings.at(sampler);
  const auto is_there = [&](const std::string& key) { return own.contains(key); };
  const std::vector<Option>& options = sampler_kind(sampler).options;
  return std::any_of(options.begin(), options.end(), [&](const Option& option) {
    return std::any_of(option.former_keys.begin(), option.former_keys.end(), is_there);
  });
}

}  // namespace

// A checkpoint and the stages of a set-up belong to a hash of the settings with their names, and
// what samplers keep in them has changed, too.
void refuse_older_settings(const FitFolder& folder, const Json& there) {
  if (!has_former_keys(there.at("settings"))) return;
  throw InputError(fmt::format(
      "{}: was begun by ulisse {}, which alone can go on with it; its draws stay readable, {} "
      "begins the fit anew in their place, and {} names a folder for a fit beside it",
      folder.path(), there.value("ulisse_version", "0.1.0"), option_named("force"),
      option_named("out")));
}

}  // namespace ulisse
