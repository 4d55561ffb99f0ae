#include "store/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include <fstream>

#include "base/option_names.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr std::string_view kAnyVersion = "ulisse checkpoint ";
constexpr int kVersion = 10;  // up to 9 it did not say which fit it belongs to

std::string first_line() { return fmt::format("{}{}\n", kAnyVersion, kVersion); }

// Piece by piece: zlib counts bytes in 32 bits.
unsigned long checksum(const std::string& bytes) {
  return crc32_z(crc32(0, nullptr, 0), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
}

std::string owner_line(const StateOwner& owner) {
  return fmt::format("{} of fit {}\n", owner.kind, owner.fit);
}

std::string size_line(const std::string& state) {
  return fmt::format("{} {:08x}\n", state.size(), checksum(state));
}

[[noreturn]] void refuse_version(const std::string& path, bool other_version) {
  const char* words = other_version
                          ? "{}: was written by another version of ulisse, which alone can go on "
                            "with the fit; {} begins it anew"
                          : "{}: is no checkpoint of ulisse, so that the fit cannot go on; {} "
                            "begins it anew once the file is gone";
  throw InputError(fmt::format(fmt::runtime(words), path, option_named("force")));
}

}  // namespace

void write_checkpoint(const std::string& path, const StateOwner& owner, const std::string& state) {
  write_atomically(path, first_line() + owner_line(owner) + size_line(state) + state);
}

std::string read_checkpoint(const std::string& path, const StateOwner& owner) {
  const std::string content = read_file(path);
  if (!content.starts_with(first_line())) {
    refuse_version(path, content.starts_with(kAnyVersion) && content.find('\n') < 40);
  }
  const std::size_t second = first_line().size(), third = content.find('\n', second) + 1;
  if (third == 0) throw InputError(fmt::format("{}: is damaged: it ends too early", path));
  if (content.substr(second, third - second) != owner_line(owner)) {
    throw InputError(fmt::format(
        "{}: belongs to another fit, with other settings or data, so that this one cannot go on "
        "from it; bring the fit's own file back",
        path));
  }
  const std::size_t bytes = content.find('\n', third) + 1;
  std::string state = bytes == 0 ? "" : content.substr(bytes);
  if (bytes == 0 || content.substr(third, bytes - third) != size_line(state)) {
    throw InputError(fmt::format("{}: is damaged: it is not as it was written", path));
  }
  return state;
}

bool looks_like_checkpoint(const std::string& path) {
  std::string begin(kAnyVersion.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file.gcount() == static_cast<std::streamsize>(begin.size()) && begin == kAnyVersion;
}

}  // namespace ulisse
