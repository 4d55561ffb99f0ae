#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/input_file.h"
#include "ulisse/types.h"

namespace ulisse::csv {

// The lines of a text file, ended by LF, CRLF or a lone CR. Drops a UTF-8 byte order mark, refuses
// UTF-16 and NUL bytes. Holds one buffer whatever the size of the file. Throws InputError.
class LineReader {
 public:
  explicit LineReader(const std::string& path);

  // The next line without its end, or nothing at the end of the file. The view is good until the
  // next call.
  std::optional<std::string_view> next();

  // The number of the line last returned, from 1.
  Index line() const { return line_; }
  const std::string& path() const { return path_; }

 private:
  void check_encoding();
  void skip_second_half_of_crlf();
  void consume(std::size_t length);
  bool refill();
  void make_room();
  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }

  std::string path_;
  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the bytes of buffer_ not handed out yet
  Index line_ = 0;
  bool after_cr_ = false;
};

}  // namespace ulisse::csv
