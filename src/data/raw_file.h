#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ulisse::csv {

// The bytes of a file as they are, from front to back. Never seeks, so that a pipe can be read too.
// Throws InputError.
class RawFile {
 public:
  // "-" is standard input.
  explicit RawFile(const std::string& path);
  ~RawFile();
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  // Fills all of `into` unless the file ends first; returns the number of bytes read.
  std::size_t read(std::span<char> into);

  const std::string& path() const { return path_; }  // as messages call it

 private:
  std::string path_;
  int descriptor_;
};

// How messages call it.
std::string display_name(const std::string& path);

}  // namespace ulisse::csv
