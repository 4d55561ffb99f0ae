#pragma once

#include <CLI/CLI.hpp>

namespace ulisse::cli {

// Adds --config FILE: a TOML file with the options of the subcommand, named as on the command line
// without their dashes. What stands on the command line wins. Must be added before all other
// options: CLI11 runs options in this order, and the file's values have to be there by then.
CLI::Option* add_config(CLI::App& app);

}  // namespace ulisse::cli
