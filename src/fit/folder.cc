#include "fit/folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/json_text.h"
#include "draws/files.h"
#include "ulisse/error.h"
#include "ulisse/version.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// chain_12.csv, but not chain_notes.csv, which is somebody else's.
bool is_numbered(const std::string& name, const std::string& first) {
  const std::string last = ".csv";
  if (!name.starts_with(first) || !name.ends_with(last)) return false;
  const std::size_t length = name.size() - std::min(name.size(), first.size() + last.size());
  const std::string number = name.substr(first.size(), length);
  return !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
}

bool is_of_a_fit(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return !entry.is_directory() &&
         (name == "fit.json" || name == "checkpoint" || name == "setup" || name == "data.csv" ||
          name == "fit.json.new" || name == "checkpoint.new" || name == "setup.new" ||
          name == "data.csv.new" || is_numbered(name, "chain_") || is_numbered(name, "warmup_"));
}

// What an old fit left in the folder; a list, since a folder must not change while one reads it.
std::vector<fs::path> files_of_a_fit(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;  // where there is no folder there are no files
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (is_of_a_fit(entry)) files.push_back(entry.path());
  }
  return files;
}

// What stands under a key; nothing when it is not there, as in a file of another version.
Json part(const Json& json, const std::string& key) {
  return json.is_object() && json.contains(key) ? json.at(key) : Json();
}

void compare(const std::string& name, const Json& there, const Json& here,
             std::vector<std::string>& found) {
  if (there == here) return;
  found.push_back(fmt::format("{} ({} there, {} here)", name,
                              there.is_null() ? "nothing" : there.dump(), here.dump()));
}

// More draws can be added to a fit, and warm-up that is being saved goes on being saved.
bool may_differ(const std::string& key, const Json& there, const Json& here) {
  if (key == "save_warmup") return here == false;
  return key == "draws" && there.is_number() && here > there;
}

void compare_settings(const Json& there, const Json& here, std::vector<std::string>& found) {
  for (const auto& [key, value] : here.items()) {
    const Json old = part(there, key);
    if (may_differ(key, old, value)) continue;
    if (value.is_object() && old.is_object()) {
      compare_settings(old, value, found);
    } else {
      compare(key, old, value, found);
    }
  }
}

}  // namespace

std::string FitFolder::chain_file(int chain) const {
  return fmt::format("{}/chain_{}.csv", path_, chain + 1);
}

std::string FitFolder::warmup_file(int chain) const {
  return fmt::format("{}/warmup_{}.csv", path_, chain + 1);
}

// What a kill left half written does not count.
bool FitFolder::exists() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return false;
  if (!fs::is_directory(path_, error)) return true;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".new") || !is_of_a_fit(entry)) return true;
  }
  return false;
}

bool FitFolder::has_fit() const {
  std::error_code error;
  return fs::exists(json_file(), error);
}

bool FitFolder::has_files() const { return !files_of_a_fit(path_).empty(); }

void FitFolder::require_free(bool force, const std::string& source) const {
  if (!exists()) return;
  if (!force) {
    throw InputError(
        fmt::format("{}: there is {} already; {}", path_, has_fit() ? "a fit" : "something",
                    has_fit() ? "--resume goes on with it, --force replaces it"
                              : "name another folder as --out, or --force for a fit beside it"));
  }
  const std::vector<fs::path> files = files_of_a_fit(path_);
  const auto kept = std::find_if(files.begin(), files.end(),
                                 [](const fs::path& file) { return file.extension() != ".new"; });
  if (!has_fit() && kept != files.end()) {
    throw InputError(fmt::format(
        "{}: would be overwritten, and is of no fit (there is no fit.json); name another folder as "
        "--out",
        kept->string()));
  }
  for (const fs::path& file : files) {
    std::error_code error;
    if (fs::equivalent(file, source, error)) {
      throw InputError(fmt::format(
          "{}: would be replaced, and is the table itself; name another folder as --out", source));
    }
  }
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

// fit.json is renamed last: it must never stand beside the checkpoint of another fit.
void FitFolder::make_way() const {
  const FitFolder successor = of_successor();
  try {
    for (const fs::path& file : files_of_a_fit(path_)) {
      if (file != json_file()) fs::remove(file);
    }
    for (const fs::path& file : files_of_a_fit(successor.path())) {
      if (file != successor.json_file()) fs::rename(file, fs::path(path_) / file.filename());
    }
    fs::rename(successor.json_file(), json_file());
  } catch (const fs::filesystem_error& error) {
    throw OutputError("replace the fit in", path_, error.code().message());
  }
  successor.discard();
}

void FitFolder::write_json(const Json& json) const {
  write_atomically(json_file(), json_text(json));
}

Json FitFolder::read_json() const {
  if (!has_fit()) throw InputError(fmt::format("{}: there is no fit (no fit.json)", path_));
  Json json = Json::parse(read_file(json_file()), nullptr, false);
  // Whoever reads on relies on these; a text that is no JSON has none of them.
  const Json settings = part(json, "settings");
  if (part(json, "status").is_string() && part(settings, "sampler").is_string() &&
      part(settings, "chains").is_number()) {
    return json;
  }
  throw InputError(fmt::format("{}: is damaged", json_file()));
}

Json describe_fit(const FitSettings& settings, const std::string& reason, const Model& model,
                  const Dataset& raw, const Standardisation& scaling) {
  Json parameters = Json::array();
  for (const Parameter& p : model.parameters) {
    parameters.push_back({{"name", p.name}, {"prior", p.prior.to_string()}});
  }
  // tau.2 belongs to the second input.
  for (std::size_t k = 0; model.kernel.ard && k < raw.features.size(); ++k) {
    parameters[1 + k]["input"] = raw.features[k];
  }
  return {{"ulisse_version", version()},
          {"status", "running"},
          {"data",
           {{"file", raw.source},
            {"target", raw.target},
            {"features", raw.features},
            {"rows", raw.x.rows()},
            {"fingerprint", fingerprint(raw)}}},
          {"scaling",
           {{"x_mean", json_numbers(scaling.x_mean)},
            {"x_sd", json_numbers(scaling.x_sd)},
            {"y_mean", scaling.y_mean},
            {"y_sd", scaling.y_sd}}},
          {"parameters", parameters},
          {"settings", to_json(settings)},
          {"sampler_reason", reason}};
}

std::string differences(const Json& there, const Json& here) {
  std::vector<std::string> found;
  compare_settings(part(there, "settings"), here.at("settings"), found);
  for (const char* key : {"target", "features", "rows", "fingerprint"}) {
    compare(fmt::format("the data's {}", key), part(part(there, "data"), key),
            here.at("data").at(key), found);
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace ulisse
