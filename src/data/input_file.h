#pragma once

#include <zlib.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/raw_file.h"

namespace ulisse::csv {

// The bytes of a file, decompressed when it starts with gzip's magic bytes: one member after the
// other, as gzip itself does. zlib's gzread() would say nothing of what stands behind the last one,
// which is lost. Throws InputError.
class InputFile {
 public:
  // "-" is standard input.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // Fills all of `into` unless the file ends first; returns the number of bytes read.
  std::size_t read(std::span<char> into);

 private:
  std::size_t read_plain(std::span<char> into);
  std::size_t read_gzip(std::span<char> into);
  void inflate_some();
  void begin_next_member();
  void require_padding_alone();
  void refill();
  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }

  RawFile file_;
  std::vector<char> buffer_;         // of the file
  std::size_t begin_ = 0, end_ = 0;  // what of it has not been taken yet
  bool is_gzip_ = false, ended_ = false;
  z_stream gzip_ = {};
};

}  // namespace ulisse::csv
