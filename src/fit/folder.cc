#include "fit/folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/json_reader.h"
#include "base/json_text.h"
#include "base/option_names.h"
#include "fit/fit_files.h"
#include "fit/folder_lock.h"
#include "fit/own_files.h"
#include "fit/replace_fit.h"
#include "fit/sampler_kind.h"
#include "model/model_notes.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/version.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// What stands under a key; nothing when it is not there, as in a file of another version.
Json part(const Json& json, const std::string& key) {
  return json.is_object() && json.contains(key) ? json.at(key) : Json();
}

// Null for what is no option of the run or of a sampler.
const Option* option_of(const std::string& key) {
  if (const Option* of_run = find_option(run_options(), key)) return of_run;
  for (const std::string& sampler : samplers_with(key)) {
    return find_option(sampler_kind(sampler).options, key);
  }
  return nullptr;
}

// As who types them has it; fit.json has 0 for what is found out.
std::string setting_name(const std::string& key) {
  const bool named = key != "standardise" && key != "default_priors";
  return named ? option_named(key) : key;
}

std::string setting_value(const std::string& key, const Json& value) {
  if (value.is_null()) return "nothing";
  const Option* option = option_of(key);
  const bool automatic = option != nullptr && option->range.automatic_zero && value == 0;
  return automatic ? "automatic" : value.dump();
}

void compare_setting(const std::string& key, const Json& there, const Json& here,
                     std::vector<std::string>& found) {
  if (there == here) return;
  found.push_back(fmt::format("{} ({} there, {} here)", setting_name(key),
                              setting_value(key, there), setting_value(key, here)));
}

void compare(const std::string& name, const Json& there, const Json& here,
             std::vector<std::string>& found) {
  if (there == here) return;
  found.push_back(fmt::format("{} ({} there, {} here)", name,
                              there.is_null() ? "nothing" : there.dump(), here.dump()));
}

bool is_of_other_models(const std::string& key) {
  const std::vector<std::string>& keys = keys_of_other_models();
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

// More draws can be added to a fit, and warm-up that is being saved goes on being saved.
bool may_differ(const std::string& key, const Json& there, const Json& here) {
  if (key == "save_warmup") return here == false;
  if (key == "ess" || key == "max_draws") return true;
  return key == "draws" && there.is_number() && here > there;
}

void compare_settings(const Json& there, const Json& here, std::vector<std::string>& found) {
  for (const auto& [key, value] : here.items()) {
    const Json old = part(there, key);
    if (is_of_other_models(key)) continue;
    if (may_differ(key, old, value)) continue;
    if (value.is_object() && old.is_object()) {
      compare_settings(old, value, found);
    } else {
      compare_setting(key, old, value, found);
    }
  }
}

FitRecord::Data data_of(const Dataset& raw) {
  return {.file = raw.source,
          .target = raw.target,
          .fingerprint = fingerprint(raw),
          .features = raw.features,
          .all_features = raw.all_features,
          .levels = raw.levels,
          .first_days = raw.first_days,
          .known_noise = raw.known_noise,
          .drop_missing = !raw.rows.empty(),
          .rows = raw.x.rows()};
}

FitRecord::Parameter parameter_of(const Layout& layout, Index i, const Dataset& raw) {
  const Parameter& p = layout.at(i);
  FitRecord::Parameter about{.name = p.name, .prior = p.prior.to_string()};
  if (p.prior.data_units) about.prior_units = kDataUnits;
  if (const auto input = layout.input_of(i)) {
    about.input = raw.features[static_cast<std::size_t>(*input)];
  }
  return about;
}

}  // namespace

FitFolder::FitFolder(std::string path) : path_(std::move(path)), place_(place_of_fit(path_)) {}

std::string FitFolder::chain_file(int chain) const {
  return fmt::format("{}/{}", place_, chain_file_name(chain));
}

std::string FitFolder::warmup_file(int chain) const {
  return fmt::format("{}/warmup_{}.csv", place_, chain + 1);
}

// What a kill left half written does not count, nor a lock.
bool FitFolder::exists() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return false;
  if (!fs::is_directory(path_, error)) return true;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.path() != FolderLock::file_in(path_) && !is_half_written(name)) return true;
  }
  return false;
}

bool FitFolder::has_fit() const {
  std::error_code error;
  return fs::exists(json_file(), error);
}

void FitFolder::require_free(bool force, const std::string& source) const {
  std::error_code error;
  if (fs::is_symlink(path_, error) && !fs::exists(path_, error)) {
    throw InputError(fmt::format("{}: is a link to nothing; name another folder as {}", path_,
                                 option_named("out")));
  }
  if (!exists()) return;
  const bool folder = fs::is_directory(path_, error);
  if (!force || !folder) {
    const std::string out = option_named("out"), force_named = option_named("force");
    throw InputError(fmt::format(
        "{}: there is {} already; {}", path_,
        has_fit() ? "a fit"
        : folder  ? "something"
                  : "a file",
        has_fit() ? fmt::format("{} goes on with it, {} replaces it, {} names another folder",
                                option_named("resume"), force_named, out)
        : folder
            ? fmt::format("name another folder as {}, or {} for a fit beside it", out, force_named)
            : fmt::format("name a folder as {}", out)));
  }
  for (const fs::path& file : files_of_a_fit(place_)) {
    if (fs::equivalent(file, source, error)) {
      throw InputError(
          fmt::format("{}: would be replaced, and is the table itself; name another folder as {}",
                      source, option_named("out")));
    }
  }
  require_own_files(*this);
}

void FitFolder::create() const {
  try {
    fs::create_directories(path_);
    for (const fs::path& file : files_of_a_fit(path_)) fs::remove(file);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    const bool made = fs::is_directory(path_, ignored);
    throw OutputError(made ? "empty the folder" : "make the folder", error.path1().string(),
                      error.code().message());
  }
}

void FitFolder::discard() const {
  std::error_code ignored;
  for (const fs::path& file : files_of_a_fit(path_)) fs::remove(file, ignored);
  fs::remove(path_, ignored);  // not when something is in it
}

void FitFolder::write_json(const Json& json) const {
  write_atomically(json_file(), json_text(json));
}

Json FitFolder::read_json() const {
  if (!has_fit()) throw InputError(fmt::format("{}: there is no fit (no fit.json)", path_));
  Json json = JsonReader::parse(read_file(json_file()), json_file());
  fit_record(json, json_file());  // whoever reads on relies on types and shapes
  return json;
}

FitRecord FitFolder::read_record() const { return fit_record(read_json(), json_file()); }

std::string status_of(const FitFolder& folder, const std::string& written) {
  if (writer_of(folder.path())) return "running";
  return written == "running" ? "killed" : written;
}

FitRecord describe_fit(const FitSettings& settings, const Reason& reason, const Model& model,
                       const Dataset& raw, const Standardisation& scaling) {
  FitRecord record{.version = version(),
                   .status = "running",
                   .sampler_reason = reason,
                   .notes = raw.notes,
                   .settings = settings,
                   .data = data_of(raw),
                   .scaling = scaling};
  for (const std::string& note : notes_on(model, raw, settings.standardise)) {
    record.notes.push_back(note);
  }
  for (Index i = 0; i < model.layout.size(); ++i) {
    record.parameters.push_back(parameter_of(model.layout, i, raw));
  }
  return record;
}

std::string differences(const Json& there, const Json& here) {
  std::vector<std::string> found;
  compare_settings(part(there, "settings"), here.at("settings"), found);
  for (const std::string& key :
       keys_of_other_models()) {  // which either may have without the other
    compare_setting(key, part(part(there, "settings"), key), part(here.at("settings"), key), found);
  }
  for (const char* key : {"target", "features", "known_noise", "rows", "fingerprint"}) {
    compare(fmt::format("the data's {}", key), part(part(there, "data"), key),
            part(here.at("data"), key), found);
  }
  // Priors that a program has set by other means than their texts.
  if (found.empty()) {
    compare("parameters", part(there, "parameters"), part(here, "parameters"), found);
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace ulisse
