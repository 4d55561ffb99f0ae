#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fit/fit_record.h"
#include "fit/settings.h"
#include "ulisse/dataset.h"
#include "ulisse/model.h"

namespace ulisse {

// The folder that a fit writes: chain_1.csv, ..., fit.json, what it needs to go on, and while it is
// written the lock of folder_lock.h.
class FitFolder {
 public:
  explicit FitFolder(std::string path);

  const std::string& path() const { return path_; }
  // Where its files are: in the folder, or where a kill came while a fit moved in (replace_fit)
  // still in a folder in this one.
  const std::string& place() const { return place_; }
  std::string chain_file(int chain) const;   // chain counts from 0, files from 1
  std::string warmup_file(int chain) const;  // its iterations before the draws, where asked for
  std::string checkpoint_file() const { return place_ + "/checkpoint"; }
  // What a sampler found out before sampling, where that took long.
  std::string setup_file() const { return place_ + "/setup"; }
  // The table that was fitted, unless the fit was told not to keep it.
  std::string data_file() const { return place_ + "/data.csv"; }
  std::string json_file() const { return place_ + "/fit.json"; }

  bool exists() const;  // there is a folder with something in it
  bool has_fit() const;

  // Throws InputError where a fit may not be begun: in a folder that is not empty, unless forced.
  // Even then not where files have the names of a fit's and were written by none, since they may be
  // the user's; nor where `source`, the table's file, would be replaced itself.
  void require_free(bool force, const std::string& source = "") const;

  // Makes the folder, and removes an old fit's files, and nothing else. Throws OutputError.
  void create() const;

  // Takes back what create() and a fit that was refused have left: its files, and the folder when
  // nothing else is in it.
  void discard() const;

  void write_json(const nlohmann::ordered_json& json) const;
  // Throw InputError where there is none, or where it is damaged: which key, and what it must be.
  nlohmann::ordered_json read_json() const;
  FitRecord read_record() const;

 private:
  std::string path_, place_;
};

// What a fit is doing: fit.json's "status" where it has ended; "running" only as long as a process
// has the folder's lock, and "killed" where fit.json says "running" and none has.
std::string status_of(const FitFolder& folder, const std::string& written);

// What fit.json says about a fit before it runs.
FitRecord describe_fit(const FitSettings& settings, const Reason& reason, const Model& model,
                       const Dataset& raw, const Standardisation& scaling);

// The settings, and the data if need be, in which two descriptions differ, in words: "seed (1
// there, 2 here)". Nothing when a fit may be resumed.
std::string differences(const nlohmann::ordered_json& there, const nlohmann::ordered_json& here);

}  // namespace ulisse
