#include "data/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

[[noreturn]] void fail_with_errno(const std::string& path, int error) {
  throw InputError(fmt::format("{}: {}", path, std::generic_category().message(error)));
}

// open() takes a directory for reading, and zlib would then call it an empty file.
bool is_directory(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

gzFile open_for_reading(const std::string& path) {
  if (path.empty()) throw InputError("the name of the file to read is empty");
  if (is_directory(path)) throw InputError(fmt::format("{}: is a directory", path));
  const int descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                     : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(display_name(path), errno);
  gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) {
    close(descriptor);
    throw std::bad_alloc();  // its only reason to fail here
  }
  return file;
}

[[noreturn]] void fail_with_zlib(const std::string& path, gzFile file) {
  int error = Z_OK;
  gzerror(file, &error);
  if (error == Z_ERRNO) fail_with_errno(path, errno);
  if (error == Z_MEM_ERROR) throw std::bad_alloc();
  if (error == Z_BUF_ERROR) {
    throw InputError(fmt::format("{}: the gzip data ends too early, the file is truncated", path));
  }
  throw InputError(fmt::format("{}: the gzip data is corrupt", path));
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

InputFile::InputFile(const std::string& path)
    : path_(display_name(path)), file_(open_for_reading(path)) {}

std::size_t InputFile::read(std::span<char> into) {
  constexpr std::size_t most = std::size_t{1} << 30;  // gzread() counts in int
  const auto wanted = static_cast<unsigned>(std::min(into.size(), most));
  const int got = gzread(file_.get(), into.data(), wanted);
  if (got < 0) fail_with_zlib(path_, file_.get());
  if (static_cast<unsigned>(got) < wanted) {
    // A truncated gzip file looks like a plain end of file unless one asks.
    int error = Z_OK;
    gzerror(file_.get(), &error);
    if (error != Z_OK) fail_with_zlib(path_, file_.get());
  }
  return static_cast<std::size_t>(got);
}

}  // namespace ulisse::csv
