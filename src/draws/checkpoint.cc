#include "draws/checkpoint.h"

#include <fmt/format.h>
#include <zlib.h>

#include "draws/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

constexpr const char* kMagic = "ulisse checkpoint 9";

// Piece by piece: zlib counts bytes in 32 bits.
unsigned long checksum(const std::string& bytes) {
  return crc32_z(crc32(0, nullptr, 0), reinterpret_cast<const unsigned char*>(bytes.data()),
                 bytes.size());
}

std::string header(const std::string& state) {
  return fmt::format("{}\n{} {:08x}\n", kMagic, state.size(), checksum(state));
}

}  // namespace

void write_checkpoint(const std::string& path, const std::string& state) {
  write_atomically(path, header(state) + state);
}

std::string read_checkpoint(const std::string& path) {
  const std::string content = read_file(path);
  const std::size_t first = content.find('\n');
  if (first == std::string::npos || content.compare(0, first, kMagic) != 0) {
    throw InputError(fmt::format("{}: is not a checkpoint of this version", path));
  }
  const std::size_t second = content.find('\n', first + 1);
  std::string state = second == std::string::npos ? "" : content.substr(second + 1);
  if (second == std::string::npos || content.substr(0, second + 1) != header(state)) {
    throw InputError(fmt::format("{}: the checkpoint is damaged", path));
  }
  return state;
}

}  // namespace ulisse
