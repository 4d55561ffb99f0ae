#include "data/line_reader.h"

#include <fmt/format.h>

#include <cstring>
#include <span>

#include "base/limits.h"
#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 18;  // stays in the L2 cache

// How many bytes come before the first LF, CR or NUL. One loop for all three: a memchr() for LF
// would scan the whole buffer for each line of a file that has only CRs.
std::size_t bytes_before_line_end(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte > '\r') continue;
    if (byte == '\n' || byte == '\r' || byte == '\0') return i;
  }
  return text.size();
}

}  // namespace

LineReader::LineReader(const std::string& path)
    : path_(display_name(path)), file_(path), buffer_(buffer_size) {
  refill();
  check_encoding();
}

void LineReader::check_encoding() {
  const std::string_view start = unread();
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF")) {
    throw InputError(fmt::format("{}: looks like UTF-16; save it as UTF-8", path_));
  }
  if (start.starts_with("\xEF\xBB\xBF")) begin_ += 3;
}

std::optional<std::string_view> LineReader::next() {
  skip_second_half_of_crlf();
  std::size_t length = bytes_before_line_end(unread());
  while (length == unread().size() && refill()) {
    length += bytes_before_line_end(unread().substr(length));
  }
  if (unread().empty()) return std::nullopt;
  ++line_;
  const std::string_view line = unread().substr(0, length);
  consume(length);
  return line;
}

void LineReader::skip_second_half_of_crlf() {
  if (!after_cr_) return;
  after_cr_ = false;
  if (unread().empty()) refill();
  if (unread().starts_with('\n')) ++begin_;
}

// Steps over a line of this length and over the byte that ends it.
void LineReader::consume(std::size_t length) {
  begin_ += length;
  if (begin_ == end_) return;  // the last line has no end
  const char line_end = buffer_[begin_++];
  if (line_end == '\0') {
    throw InputError(
        fmt::format("{}:{}: the line holds a NUL byte; the file is not UTF-8 text", path_, line_));
  }
  after_cr_ = line_end == '\r';
}

// Reads more behind the unread bytes; false at the end of the file.
bool LineReader::refill() {
  make_room();
  const std::size_t got = file_.read(std::span(buffer_).subspan(end_));
  end_ += got;
  return got > 0;
}

void LineReader::make_room() {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ < buffer_.size()) return;
  if (buffer_.size() >= limits::row_bytes) {
    throw InputError(
        fmt::format("{}:{}: the line is longer than {} MiB; the file is not a table of text", path_,
                    line_ + 1, limits::row_bytes >> 20));
  }
  buffer_.resize(2 * buffer_.size());
}

}  // namespace ulisse::csv
