#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/model.h"

namespace ulisse::cli {

// Which table, which columns, which model: the options of every subcommand that works on data.
struct DataOptions {
  std::string file, target, separator = ",";
  std::vector<std::string> features, exclude, categories;
  std::string noise_sd, noise_variance;  // names of columns
  ModelOptions model;
  bool no_standardise = false, no_header = false, drop_missing = false;
  // Of a fit that goes on: the columns of its table. Must outlive the reading.
  const Dataset* like = nullptr;
};
void add_data_options(CLI::App& app, DataOptions& options);
void add_prior_option(CLI::App& app, DataOptions& options);
void add_fix_option(CLI::App& app, DataOptions& options);

CLI::Option* add_no_header(CLI::App& app, bool& no_header);

// On standard error, whatever else is quiet: what was done to the data is no progress.
void print_notes(const Dataset& data);

// --separator's text, "tab" or one character. Throws InputError.
char separator_of(const std::string& text);

struct LoadedData {
  Dataset data;  // scaled
  Standardisation scaling;
  bool standardised;
  std::string fingerprint;  // of the data before scaling
  Model model;

  // The input that an element of psi alone belongs to, or nothing.
  std::string input_of(std::size_t parameter) const;
};
LoadedData load(const DataOptions& options);

// The same before scaling. Constant columns are left out where the rest is to be standardised.
struct RawData {
  Dataset data;
  Model model;
};
RawData load_raw(const DataOptions& options);

}  // namespace ulisse::cli
