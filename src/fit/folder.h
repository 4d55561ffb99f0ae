#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fit/settings.h"
#include "ulisse/dataset.h"

namespace ulisse {

// The folder that a fit writes: chain_1.csv, ..., fit.json, and while it is not complete a
// checkpoint.
class FitFolder {
 public:
  explicit FitFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  std::string chain_file(int chain) const;   // chain counts from 0, files from 1
  std::string warmup_file(int chain) const;  // its iterations before the draws, where asked for
  std::string checkpoint_file() const { return path_ + "/checkpoint"; }
  // What a sampler found out before sampling, where that took long.
  std::string setup_file() const { return path_ + "/setup"; }
  // The table that was fitted, unless the fit was told not to keep it.
  std::string data_file() const { return path_ + "/data.csv"; }
  std::string json_file() const { return path_ + "/fit.json"; }

  bool exists() const;  // there is a folder with something in it
  bool has_fit() const;
  bool has_files() const;  // of a fit, be it whole or not

  // Throws InputError where a fit may not be begun: in a folder that is not empty, unless forced.
  // Even then not where files have the names of a fit's and there is none (no fit.json), since they
  // may be the user's; nor where `source`, the table's file, would be replaced itself.
  void require_free(bool force, const std::string& source = "") const;

  // Makes the folder, and removes an old fit's files, and nothing else. Throws OutputError.
  void create() const;

  // Takes back what create() and a fit that was refused have left: its files, and the folder when
  // nothing else is in it.
  void discard() const;

  // A folder in this one, for what a fit that is to replace this one writes before it samples.
  FitFolder of_successor() const { return FitFolder(path_ + "/.new"); }

  // Replaces the files of this fit by those of its successor. Throws OutputError.
  void make_way() const;

  void write_json(const nlohmann::ordered_json& json) const;
  nlohmann::ordered_json read_json() const;  // throws InputError

 private:
  std::string path_;
};

// What fit.json says about a fit before it runs.
nlohmann::ordered_json describe_fit(const FitSettings& settings, const std::string& reason,
                                    const Model& model, const Dataset& raw,
                                    const Standardisation& scaling);

// The settings, and the data if need be, in which two descriptions differ, in words: "seed (1
// there, 2 here)". Nothing when a fit may be resumed.
std::string differences(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here);

}  // namespace ulisse
