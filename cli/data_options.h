#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/model.h"

namespace ulisse::cli {

// Which table, which columns, which model: the options of every subcommand that works on data.
struct DataOptions {
  std::string file, target, features, kernel = "rbf";
  std::vector<std::string> priors;
  bool no_standardise = false;
};
void add_data_options(CLI::App& app, DataOptions& options);
void add_prior_option(CLI::App& app, DataOptions& options);

struct LoadedData {
  Dataset data;  // scaled
  Standardisation scaling;
  Model model;
};
LoadedData load(const DataOptions& options);

}  // namespace ulisse::cli
