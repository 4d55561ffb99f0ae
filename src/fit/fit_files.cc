#include "fit/fit_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

FitFiles files_in(const std::string& folder) {
  const auto path = [folder](const std::string& name) { return folder + "/" + name; };
  return {.has =
              [path](const std::string& name) {
                std::error_code ignored;
                return std::filesystem::exists(path(name), ignored);
              },
          .read = [path](const std::string& name) { return read_file(path(name)); },
          .path = path};
}

FitFiles files_in(const std::map<std::string, std::string>& memory) {
  return {.has = [&memory](const std::string& name) { return memory.count(name) > 0; },
          .read =
              [&memory](const std::string& name) {
                const auto found = memory.find(name);
                if (found == memory.end()) {
                  throw InputError(fmt::format("{}: is missing among the files of the fit", name));
                }
                return found->second;
              },
          .path = [](const std::string& name) { return name; }};
}

std::string chain_file_name(int chain) { return fmt::format("chain_{}.csv", chain + 1); }

}  // namespace ulisse
