#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ulisse::cli {

// What a file that is to be written must not be.
struct OutFileLimits {
  std::string needed = {};  // a file that is read; empty for none
  std::string what = {};    // in words
  std::string fit_folder;   // whose files are left alone
  bool replace = true;      // what is there already
};

// --force, for files that are not to be replaced by mistake.
CLI::Option* add_force(CLI::App& app, bool& force);

// Before the work, so that it is not lost. Throws InputError unless --out names a regular file, or
// nothing yet, in a folder that is there, and neither a file that is still needed nor one among
// those of the fit.
void check_out_file(const std::string& out, const OutFileLimits& limits);

}  // namespace ulisse::cli
