#pragma once

#include <filesystem>
#include <string>

namespace ulisse {

// A folder among the system's temporary files that is gone when this is.
class TemporaryFolder {
 public:
  TemporaryFolder();  // throws OutputError
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ulisse
