#include "store/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "base/option_names.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr std::string_view kAnyVersion = "ulisse checkpoint ";
constexpr int kVersion = 10;  // up to 9 it did not say which fit it belongs to

std::string first_line() { return fmt::format("{}{}\n", kAnyVersion, kVersion); }

// The length of a state, and its checksum; zlib counts bytes in 32 bits, crc32_z does not.
struct Extent {
  std::uint64_t size = 0;
  unsigned long checksum = crc32(0, nullptr, 0);

  void add(std::string_view piece) {
    size += piece.size();
    checksum =
        crc32_z(checksum, reinterpret_cast<const unsigned char*>(piece.data()), piece.size());
  }
  std::string line() const { return fmt::format("{} {:08x}\n", size, checksum); }
};

std::string owner_line(const StateOwner& owner) {
  return fmt::format("{} of fit {}\n", owner.kind, owner.fit);
}

[[noreturn]] void refuse_version(const std::string& path, bool other_version) {
  const char* words = other_version
                          ? "{}: was written by another version of ulisse, which alone can go on "
                            "with the fit; {} begins it anew"
                          : "{}: is no checkpoint of ulisse, so that the fit cannot go on; {} "
                            "begins it anew once the file is gone";
  throw InputError(fmt::format(fmt::runtime(words), path, option_named("force")));
}

[[noreturn]] void refuse_owner(const std::string& path) {
  throw InputError(fmt::format(
      "{}: belongs to another fit, with other settings or data, so that this one cannot go on "
      "from it; bring the fit's own file back",
      path));
}

// The next line with its end, or what there is of it; a damaged file may have none for long.
std::string next_line(std::istream& file) {
  constexpr std::size_t kMaxLineBytes = 200;
  std::string line;
  for (char c = 0; line.size() < kMaxLineBytes && c != '\n' && file.get(c);) line += c;
  return line;
}

// What is left of the file, which is read to its end.
Extent extent_of_rest(std::istream& file) {
  Extent extent;
  std::string piece(1 << 16, '\0');
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    extent.add(std::string_view(piece).substr(0, static_cast<std::size_t>(file.gcount())));
  }
  return extent;
}

void check_lines(std::istream& file, const std::string& path, const StateOwner& owner) {
  const std::string first = next_line(file);
  if (first != first_line()) {
    refuse_version(path, first.starts_with(kAnyVersion) && first.ends_with('\n'));
  }
  const std::string second = next_line(file);
  if (!second.ends_with('\n')) {
    throw InputError(fmt::format("{}: is damaged: it ends too early", path));
  }
  if (second != owner_line(owner)) refuse_owner(path);
}

struct OpenState {
  std::unique_ptr<std::istream> file;  // at the state's beginning
  std::uint64_t size;
};

OpenState open_state(const std::string& path, const StateOwner& owner) {
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!file->is_open() || (file->peek(), file->bad())) {
    throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  check_lines(*file, path, owner);
  const std::string third = next_line(*file);
  const auto begin = file->tellg();
  const Extent extent = extent_of_rest(*file);
  if (third != extent.line()) {
    throw InputError(fmt::format("{}: is damaged: it is not as it was written", path));
  }
  file->clear();
  file->seekg(begin);
  return {.file = std::move(file), .size = extent.size};
}

}  // namespace

void write_checkpoint(const std::string& path, const StateOwner& owner, const std::string& state) {
  Extent extent;
  extent.add(state);
  write_atomically(path, first_line() + owner_line(owner) + extent.line() + state);
}

void stream_checkpoint(const std::string& path, const StateOwner& owner,
                       const std::function<void(ArchiveWriter&)>& state) {
  const auto write_to = [&](const ArchiveWriter::Sink& sink) {
    ArchiveWriter writer(sink);
    state(writer);
    writer.flush();
  };
  Extent extent;
  write_to([&](std::string_view piece) { extent.add(piece); });
  write_atomically(path, [&](const PieceSink& sink) {
    sink(first_line() + owner_line(owner) + extent.line());
    write_to(sink);
  });
}

std::string read_checkpoint(const std::string& path, const StateOwner& owner) {
  const OpenState open = open_state(path, owner);
  std::string state(open.size, '\0');
  open.file->read(state.data(), static_cast<std::streamsize>(state.size()));
  return state;
}

ArchiveReader open_checkpoint(const std::string& path, const StateOwner& owner) {
  OpenState open = open_state(path, owner);
  return {std::move(open.file), open.size};
}

bool looks_like_checkpoint(const std::string& path) {
  std::string begin(kAnyVersion.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file.gcount() == static_cast<std::streamsize>(begin.size()) && begin == kAnyVersion;
}

}  // namespace ulisse
