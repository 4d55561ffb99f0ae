#include "data/raw_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "ulisse/error.h"

namespace ulisse::csv {
namespace {

[[noreturn]] void fail_with_errno(const std::string& path, int error) {
  throw InputError(fmt::format("{}: {}", path, std::generic_category().message(error)));
}

// open() takes a directory for reading, and only read() would refuse it, in other words.
bool is_directory(const std::string& path) {
  struct stat status = {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

int open_for_reading(const std::string& path) {
  if (path.empty()) throw InputError("the name of the file to read is empty");
  if (is_directory(path)) throw InputError(fmt::format("{}: is a directory", path));
  const int descriptor = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                     : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(display_name(path), errno);
  return descriptor;
}

}  // namespace

std::string display_name(const std::string& path) { return path == "-" ? "standard input" : path; }

RawFile::RawFile(const std::string& path)
    : path_(display_name(path)), descriptor_(open_for_reading(path)) {}

RawFile::~RawFile() { close(descriptor_); }

std::size_t RawFile::read(std::span<char> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = ::read(descriptor_, into.data() + done, into.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno(path_, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace ulisse::csv
