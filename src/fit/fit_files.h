#pragma once

#include <functional>
#include <map>
#include <string>

namespace ulisse {

// The files of a fit, to be read: of a folder, or kept in memory.
struct FitFiles {
  std::function<bool(const std::string& name)> has;
  std::function<std::string(const std::string& name)> read;  // throws InputError
  std::function<std::string(const std::string& name)> path;  // for messages
};

FitFiles files_in(const std::string& folder);
// Keeps a reference.
FitFiles files_in(const std::map<std::string, std::string>& memory);

inline constexpr const char* kFitFile = "fit.json";
inline constexpr const char* kDataFile = "data.csv";

// "chain_1.csv"; chains count from 0, files from 1.
std::string chain_file_name(int chain);

}  // namespace ulisse
