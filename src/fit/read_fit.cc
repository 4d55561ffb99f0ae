#include "fit/read_fit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json_reader.h"
#include "fit/fit_files.h"
#include "fit/folder.h"
#include "fit/folder_lock.h"
#include "fit/own_files.h"
#include "fit/stage_files.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Contents = Fit::Contents;

FitEnd end_by(const std::string& status) {
  return status == "complete" ? FitEnd::complete : FitEnd::interrupted;
}

std::map<std::string, std::string> files_to_keep(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const std::filesystem::path& path : files_of_a_fit(folder)) {
    const std::string name = path.filename().string();
    if (!is_half_written(name) && !is_name_of_setup(name)) files[name] = read_file(path.string());
  }
  return files;
}

std::shared_ptr<Contents> contents_of(std::map<std::string, std::string> kept) {
  auto contents = std::make_shared<Contents>();
  contents->files = std::move(kept);
  contents->json = JsonReader::parse(files_in(contents->files).read(kFitFile), kFitFile);
  contents->record = fit_record(contents->json, kFitFile);
  contents->status = contents->record.status;
  contents->end = end_by(contents->status);
  return contents;
}

}  // namespace

void Fit::Contents::read_draws() const {
  std::call_once(read_, [this] {
    chains_ =
        read_chains(folder.empty() ? files_in(files) : files_in(FitFolder(folder).place()), record);
    draws_ = ulisse::draws_of(chains_, record);
  });
}

const std::vector<ChainDraws>& Fit::Contents::chains() const {
  read_draws();
  return chains_;
}

const FitDraws& Fit::Contents::draws() const {
  read_draws();
  return draws_;
}

std::vector<std::string> Fit::Contents::parameters() const {
  if (record.parameters.empty()) return draws().parameters;  // as old fits are
  std::vector<std::string> names;
  for (const FitRecord::Parameter& p : record.parameters) names.push_back(p.name);
  return names;
}

std::shared_ptr<const Contents> read_fit(const std::string& folder, std::optional<FitEnd> end) {
  const FitFolder place(folder);
  auto contents = std::make_shared<Contents>();
  contents->folder = folder;
  contents->json = place.read_json();
  contents->record = fit_record(contents->json, place.json_file());
  contents->status = status_of(place, contents->record.status);
  contents->end = end.value_or(end_by(contents->status));
  return contents;
}

std::shared_ptr<const Contents> read_fit(std::map<std::string, std::string> files) {
  return contents_of(std::move(files));
}

std::shared_ptr<const Contents> read_into_memory(const std::string& folder, const Dataset& data,
                                                 FitEnd end) {
  auto contents = contents_of(files_to_keep(folder));
  contents->data = data;
  contents->end = end;
  return contents;
}

FitRecord read_record_to_resume(const std::string& folder) {
  const FitFolder place(folder);
  const nlohmann::ordered_json json = place.read_json();
  FitRecord record = fit_record(json, place.json_file());
  record.settings = read_settings(JsonReader(json, place.json_file()).at("settings"), true);
  try {
    check(record.settings);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: settings: {}", place.json_file(), error.what()));
  }
  return record;
}

std::map<std::string, std::string> files_of(const Fit& fit) {
  const Contents& contents = fit.contents();
  if (contents.folder.empty()) return contents.files;
  return files_to_keep(FitFolder(contents.folder).place());
}

namespace {

// They may be hundreds of megabytes, which are in no map of files.
void copy_setup(const std::string& from, const std::string& to) {
  for (const std::filesystem::path& path : files_of_a_fit(from)) {
    if (!is_name_of_setup(path.filename().string())) continue;
    std::error_code error;
    std::filesystem::copy_file(path, std::filesystem::path(to) / path.filename(), error);
    if (error) throw OutputError("copy the set-up", path.string(), error.message());
  }
}

}  // namespace

void save_fit(const Fit& fit, const std::string& folder) {
  const FitFolder place(folder);
  place.require_free(false);
  place.create();
  const FolderLock lock(folder);
  if (!fit.folder().empty()) copy_setup(FitFolder(fit.folder()).place(), folder);
  for (const auto& [name, content] : files_of(fit)) write_atomically(folder + "/" + name, content);
}

}  // namespace ulisse
