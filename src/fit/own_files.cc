#include "fit/own_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/json_reader.h"
#include "base/option_names.h"
#include "fit/fit_record.h"
#include "fit/model_of_fit.h"
#include "fit/stage_files.h"
#include "store/checkpoint.h"
#include "store/files.h"
#include "ulisse/error.h"

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

bool is_a_chain(const std::string& name) {
  return is_numbered(name, "chain_") || is_numbered(name, "warmup_");
}

// Empty, or cut within its first line, where a kill came early.
bool begins_like_a_chain(const fs::path& file) {
  constexpr std::string_view kBegin = "# ulisse_version";
  std::string begin(kBegin.size(), '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return kBegin.starts_with(begin.substr(0, static_cast<std::size_t>(stream.gcount())));
}

bool is_description(const Json& json) {
  const auto has = [](const Json& part, const char* key) {
    return part.is_object() && part.contains(key);
  };
  return has(json, "ulisse_version") && has(json, "status") && has(json, "settings") &&
         has(json["settings"], "sampler") && has(json, "data") &&
         has(json["data"], "fingerprint") && has(json["data"], "target") &&
         has(json["data"], "features");
}

// The table of the fit, and not one that was put in its place, nor the one that it was read from.
bool is_table_of(const Json& json, const fs::path& file) {
  const Json& about = json.at("data");
  try {
    std::error_code error;
    if (!about.value("kept", true)) return false;
    if (fs::equivalent(file, about.value("path", ""), error)) return false;
    FitRecord::Data known{.features = about.at("features")};
    JsonFieldsReader reader(JsonReader(about, file.string()));
    known.fields_of_columns(reader);
    const Dataset columns = columns_of(known);
    const Dataset data = read_csv(file.string(), {.target = about.at("target"), .like = &columns});
    return fingerprint(data) == about.at("fingerprint");
  } catch (const std::exception&) {  // a table that cannot be read, or keys that are no texts
    return false;
  }
}

bool is_written_by(const Json& json, const fs::path& file) {
  const std::string name = file.filename().string();
  std::error_code error;
  if (is_half_written(name)) return true;
  if (!fs::is_regular_file(file, error)) return false;
  if (is_a_chain(name)) return begins_like_a_chain(file);
  if (name == "data.csv") return is_table_of(json, file);
  return name == "fit.json" || looks_like_checkpoint(file.string());
}

// One in the place of a chain would be noticed when the old fit is gone.
void require_no_folders(const std::string& place) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(place, error)) {
    if (!entry.is_directory(error) || !has_name_of_a_fit(entry.path().filename().string()))
      continue;
    throw InputError(fmt::format("{}: is a folder, and in the way of the fit; move it elsewhere",
                                 entry.path().string()));
  }
}

}  // namespace

// A name that nobody else gives a file: what older versions left, fit.json.new, may be the user's.
bool is_half_written(const std::string& name) {
  std::vector<std::string> written = {"fit.json", "checkpoint", "setup", "data.csv"};
  for (const std::string& stage : setup_stages()) written.push_back(name_of_stage(stage));
  return std::any_of(written.begin(), written.end(),
                     [&](const std::string& file) { return is_temporary_of(name, file); });
}

bool has_name_of_a_fit(const std::string& name) {
  return name == "fit.json" || name == "checkpoint" || is_name_of_setup(name) ||
         name == "data.csv" || is_half_written(name) || is_a_chain(name);
}

std::vector<fs::path> files_of_a_fit(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;  // where there is no folder there are no files
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool is_folder = fs::is_directory(entry.symlink_status(error));
    if (!is_folder && has_name_of_a_fit(entry.path().filename().string())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void remove_half_written(const FitFolder& folder) {
  for (const fs::path& file : files_of_a_fit(folder.place())) {
    std::error_code ignored;  // it does no harm where it stays
    if (is_half_written(file.filename().string())) fs::remove(file, ignored);
  }
}

void require_own_files(const FitFolder& folder) {
  require_no_folders(folder.place());
  const Json json =
      folder.has_fit() ? Json::parse(read_file(folder.json_file()), nullptr, false) : Json();
  const char* why = !folder.has_fit() ? "is of no fit (there is no fit.json)"
                    : is_description(json)
                        ? "is not what the fit in that folder wrote"
                        : "is of no fit (fit.json is not one that ulisse has written)";
  for (const fs::path& file : files_of_a_fit(folder.place())) {
    if (is_half_written(file.filename().string())) continue;
    if (is_description(json) && is_written_by(json, file)) continue;
    throw InputError(fmt::format("{}: would be overwritten, and {}; name another folder as {}",
                                 file.string(), why, option_named("out")));
  }
}

void require_no_links(const FitFolder& folder) {
  for (const fs::path& file : files_of_a_fit(folder.place())) {
    const bool is_written = file.filename() != "data.csv";  // which is only read once it is there
    std::error_code error;
    if (is_written && !fs::is_regular_file(fs::symlink_status(file, error))) {
      throw InputError(fmt::format("{}: is {}, and a fit writes to plain files alone",
                                   file.string(),
                                   fs::is_symlink(file, error) ? "a symbolic link" : "no file"));
    }
  }
}

}  // namespace ulisse
