#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ulisse::testing {

// The path of a folder that is not there yet, and is removed in the end.
class TemporaryFolder : public ::testing::Test {
 public:
  TemporaryFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("ulisse_test_" + std::to_string(::getpid()))) {
    std::filesystem::remove_all(path_);
  }
  ~TemporaryFolder() override { std::filesystem::remove_all(path_); }

 protected:
  const std::filesystem::path& path() const { return path_; }
  void put(const std::string& name) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << name;
  }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      found.push_back(entry.path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace ulisse::testing
