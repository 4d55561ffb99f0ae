#pragma once

#include <zlib.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace ulisse::csv {

// The bytes of a file from front to back, decompressed when it starts with gzip's magic bytes.
// Never seeks, so that a pipe can be read too. Throws InputError.
class InputFile {
 public:
  // "-" is standard input.
  explicit InputFile(const std::string& path);

  // Fills all of `into` unless the file ends first; returns the number of bytes read.
  std::size_t read(std::span<char> into);

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose_r(file); }
  };

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

// How messages call it.
std::string display_name(const std::string& path);

}  // namespace ulisse::csv
