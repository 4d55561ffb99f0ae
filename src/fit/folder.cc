#include "fit/folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

bool is_of_a_fit(const std::string& name) {
  return name == "fit.json" || name == "checkpoint" || name == "fit.json.new" || name == "setup" ||
         name == "setup.new" || name == "checkpoint.new" ||
         (name.starts_with("chain_") && name.ends_with(".csv"));
}

void compare(const std::string& prefix, const Json& there, const Json& here,
             std::vector<std::string>& found) {
  for (const auto& [key, value] : here.items()) {
    if (value.is_object() && there.contains(key) && there.at(key).is_object()) {
      compare(prefix, there.at(key), value, found);
    } else if (!there.contains(key) || there.at(key) != value) {
      found.push_back(fmt::format("{}{} ({} there, {} here)", prefix, key,
                                  there.contains(key) ? there.at(key).dump() : "nothing",
                                  value.dump()));
    }
  }
}

}  // namespace

std::string FitFolder::chain_file(int chain) const {
  return fmt::format("{}/chain_{}.csv", path_, chain + 1);
}

// What a kill left half written does not count.
bool FitFolder::exists() const {
  std::error_code error;
  if (!fs::exists(path_, error)) return false;
  if (!fs::is_directory(path_, error)) return true;
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".new") || !is_of_a_fit(name)) return true;
  }
  return false;
}

bool FitFolder::has_fit() const {
  std::error_code error;
  return fs::exists(json_file(), error);
}

void FitFolder::create(bool force) const {
  if (exists() && !force) {
    throw InputError(fmt::format(
        "{}: there is something already; --resume goes on with a fit, --force replaces it", path_));
  }
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw InputError(fmt::format("{}: cannot be made: {}", path_, error.message()));
  for (const auto& entry : fs::directory_iterator(path_, error)) {
    if (is_of_a_fit(entry.path().filename().string())) fs::remove(entry.path(), error);
  }
  if (error) throw InputError(fmt::format("{}: cannot be emptied: {}", path_, error.message()));
}

void FitFolder::write_json(const Json& json) const {
  write_atomically(json_file(), json_text(json));
}

Json FitFolder::read_json() const {
  if (!has_fit()) throw InputError(fmt::format("{}: there is no fit (no fit.json)", path_));
  try {
    return Json::parse(read_file(json_file()));
  } catch (const nlohmann::json::exception&) {
    throw InputError(fmt::format("{}: is damaged", json_file()));
  }
}

Json describe_fit(const FitSettings& settings, const std::string& reason, const Model& model,
                  const Dataset& raw, const Standardisation& scaling) {
  Json parameters = Json::array();
  for (const Parameter& p : model.parameters) {
    parameters.push_back({{"name", p.name}, {"prior", p.prior.to_string()}});
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
  compare("", there.at("settings"), here.at("settings"), found);
  const Json &old_data = there.at("data"), &new_data = here.at("data");
  for (const char* key : {"target", "features", "rows", "fingerprint"}) {
    if (old_data.at(key) == new_data.at(key)) continue;
    found.push_back(fmt::format("the data's {} ({} there, {} here)", key, old_data.at(key).dump(),
                                new_data.at(key).dump()));
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace ulisse
