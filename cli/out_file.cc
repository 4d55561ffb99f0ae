#include "out_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace fs = std::filesystem;

namespace {

// Where the fit keeps no copy, it needs that table. Whoever reads the fit next says what is wrong
// with its folder.
bool is_table_of_fit(const std::string& out, const std::string& folder) {
  const auto json = nlohmann::json::parse(std::ifstream(folder + "/fit.json"), nullptr, false);
  const auto path = nlohmann::json::json_pointer("/data/path");
  std::error_code ignored;
  return json.contains(path) && json.at(path).is_string() &&
         fs::equivalent(out, json.at(path).get<std::string>(), ignored);
}

}  // namespace

CLI::Option* add_force(CLI::App& app, bool& force) {
  return app.add_flag("--force", force, "Replace the file that --out names, where there is one");
}

void check_out_file(const std::string& out, const OutFileLimits& limits) {
  const fs::path folder = fs::path(out).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw InputError(fmt::format("--out: there is no folder {}", folder.string()));
  }
  try {
    check_replaceable(out);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--out: {}", error.what()));
  }
  if (!limits.needed.empty() && fs::equivalent(out, limits.needed, ignored)) {
    throw InputError(fmt::format("--out: {} is {}", out, limits.what));
  }
  if (is_table_of_fit(out, limits.fit_folder)) {
    throw InputError(fmt::format("--out: {} is the table that the fit was made from", out));
  }
  if (fs::equivalent(folder.empty() ? "." : folder, limits.fit_folder, ignored)) {
    throw InputError(fmt::format("--out: {} would stand among the files of the fit", out));
  }
  if (!limits.replace && fs::exists(out, ignored)) {
    throw InputError(fmt::format("--out: {} is there already; --force replaces it", out));
  }
}

}  // namespace ulisse::cli
