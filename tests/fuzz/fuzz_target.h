#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "ulisse/error.h"

// A fuzz target is one file with these two functions: libFuzzer calls the first, and so does our
// own driver, which needs no clang. Whatever the bytes are, a target reads them or ends with an
// InputError; any other exception, a crash, or an endless loop is a defect.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace ulisse::fuzz {

// Inputs to begin with, besides those in the target's folder of corpus/: what today's version
// writes, so that none goes stale.
std::vector<std::string> seeds();

// Runs a reader of the bytes.
template <class F>
void read_or_refuse(const F& read) {
  try {
    read();
  } catch (const InputError&) {
  }
}

inline std::string text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// A file of this process, for readers that take a path; it goes with this.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& ending)
      : path_(std::filesystem::temp_directory_path() /
              ("ulisse_fuzz_" + std::to_string(::getpid()) + ending)) {}
  ~ScratchFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& with(const std::string& content) {
    std::ofstream(path_, std::ios::binary) << content;
    return path_;
  }

 private:
  std::string path_;
};

}  // namespace ulisse::fuzz
