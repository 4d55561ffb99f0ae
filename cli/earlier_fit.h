#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "data_options.h"
#include "fit/fit_record.h"
#include "fit/folder.h"

namespace ulisse::cli {

// The fit in a folder that --resume goes on with. It knows its table, its columns and all its
// settings: none of them need be given again, and what is given is compared with it later.
class EarlierFit {
 public:
  // Throws InputError where there is none.
  explicit EarlierFit(const std::string& folder);

  // Fills in what was not given to `fit`, the subcommand.
  void complete(const CLI::App& fit, DataOptions& data);

  // The table, of the folder unless another was given. Throws InputError, which for a table that
  // was not given shows nothing of what is in the file: fit.json may name any.
  RawData load(const DataOptions& data) const;

 private:
  void complete_columns(const CLI::App& fit, DataOptions& data) const;
  void check_columns(const char* option, const std::vector<std::string>& given,
                     const std::function<bool(std::size_t)>& fits) const;
  void check_noise(const DataOptions& data) const;
  void take_own_table(DataOptions& data) const;

  FitFolder folder_;
  nlohmann::ordered_json json_;
  FitRecord record_;
  Dataset columns_;         // of its table
  DataOptions own_;         // of the fit
  bool own_table_ = false;  // none was given
};

}  // namespace ulisse::cli
