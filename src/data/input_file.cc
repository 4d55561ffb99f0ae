#include "data/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

constexpr std::string_view magic = "\x1F\x8B";
constexpr std::size_t buffer_size = std::size_t{1} << 16;

// Counts in `unsigned`.
unsigned as_zlib_counts(std::size_t size) {
  constexpr std::size_t most = std::numeric_limits<unsigned>::max();
  return static_cast<unsigned>(std::min(size, most));
}

}  // namespace

InputFile::InputFile(const std::string& path) : file_(path), buffer_(buffer_size) {
  refill();
  is_gzip_ = unread().starts_with(magic);
  constexpr int gzip_alone = 15 + 16;  // zlib's way to say so, with the largest window
  if (is_gzip_ && inflateInit2(&gzip_, gzip_alone) != Z_OK) throw std::bad_alloc();
}

InputFile::~InputFile() {
  if (is_gzip_) inflateEnd(&gzip_);
}

std::size_t InputFile::read(std::span<char> into) {
  return is_gzip_ ? read_gzip(into) : read_plain(into);
}

std::size_t InputFile::read_plain(std::span<char> into) {
  const std::size_t taken = unread().copy(into.data(), into.size());
  begin_ += taken;
  return taken + file_.read(into.subspan(taken));
}

std::size_t InputFile::read_gzip(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size() && !ended_) {
    const std::span<char> rest = into.subspan(done);
    gzip_.next_out = reinterpret_cast<Bytef*>(rest.data());
    gzip_.avail_out = as_zlib_counts(rest.size());
    const std::size_t room = gzip_.avail_out;
    inflate_some();
    done += room - gzip_.avail_out;
  }
  return done;
}

// From the buffer, which is filled first when it is empty.
void InputFile::inflate_some() {
  if (unread().empty()) refill();
  if (unread().empty()) {
    throw InputError(
        fmt::format("{}: the gzip data ends too early, the file is truncated", file_.path()));
  }
  gzip_.next_in = reinterpret_cast<Bytef*>(buffer_.data() + begin_);
  gzip_.avail_in = as_zlib_counts(unread().size());
  const int result = inflate(&gzip_, Z_NO_FLUSH);
  begin_ = end_ - gzip_.avail_in;
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result == Z_STREAM_END) return begin_next_member();
  if (result == Z_OK || result == Z_BUF_ERROR) return;  // the latter: no room, or no more bytes
  throw InputError(fmt::format("{}: the gzip data is corrupt", file_.path()));
}

void InputFile::begin_next_member() {
  if (unread().size() < magic.size()) refill();
  if (unread().starts_with(magic)) {
    inflateReset(&gzip_);
  } else {
    require_padding_alone();
    ended_ = true;
  }
}

// Tapes and some disks fill the last block with zeros.
void InputFile::require_padding_alone() {
  while (!unread().empty()) {
    if (unread().find_first_not_of('\0') != std::string_view::npos) {
      throw InputError(
          fmt::format("{}: bytes that are no gzip data stand behind the end of the gzip data, so "
                      "that part of the file may be lost",
                      file_.path()));
    }
    begin_ = end_;
    refill();
  }
}

// Reads more behind what has not been taken yet.
void InputFile::refill() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  end_ += file_.read(std::span(buffer_).subspan(end_));
}

}  // namespace ulisse::csv
