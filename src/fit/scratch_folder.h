#pragma once

#include <filesystem>
#include <string>

namespace ulisse {

// A folder among the system's temporary files that is gone when this is.
class ScratchFolder {
 public:
  ScratchFolder();  // throws OutputError
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace ulisse
