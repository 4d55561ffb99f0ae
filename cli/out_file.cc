#include "out_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "draws/files.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace fs = std::filesystem;

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
  if (fs::equivalent(folder.empty() ? "." : folder, limits.fit_folder, ignored)) {
    throw InputError(fmt::format("--out: {} would stand among the files of the fit", out));
  }
}

}  // namespace ulisse::cli
