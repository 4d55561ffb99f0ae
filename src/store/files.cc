#include "store/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string_view>
#include <utility>

#include "ulisse/error.h"

namespace ulisse {

namespace {

// Throws unless all of it was taken. A full disk takes some of it first.
void write_all(int descriptor, std::string_view text, const std::string& path) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t taken = ::write(descriptor, text.data() + done, text.size() - done);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0) throw OutputError("write", path);
    done += static_cast<std::size_t>(taken);
  }
}

// A rename is safe only once the folder that holds the name is on the disk. Some file systems
// cannot do that for folders, and do without.
void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

constexpr std::size_t kRandomDigits = 12;
constexpr std::string_view kTemporaryEnd = ".new";

// A name may have 255 bytes: of a long one the first do.
std::string temporary_prefix(const std::string& file) {
  constexpr std::size_t kMaxNameBytes = 200;
  return fmt::format(".{}.", std::string_view(file).substr(0, kMaxNameBytes));
}

std::string temporary_path(const std::string& path) {
  std::random_device random;
  const std::uint64_t number = (std::uint64_t{random()} << 32 | random()) >> 16;
  const std::filesystem::path place(path);
  return (place.parent_path() / fmt::format("{}{:0{}x}{}",
                                            temporary_prefix(place.filename().string()), number,
                                            kRandomDigits, kTemporaryEnd))
      .string();
}

// A new file beside another, to take its place; removed unless it did. Messages name the other one,
// which is the one that the user knows.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {
    // Made anew or not at all: whatever has the name already is not opened, be it a file or a link.
    constexpr int kHow = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    for (int tries = 0; descriptor_ < 0 && tries < 100; ++tries) {
      name_ = temporary_path(path_);
      descriptor_ = ::open(name_.c_str(), kHow, 0666);
      if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) throw OutputError("create", path_);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(name_.c_str());
  }

  void write(std::string_view piece) { write_all(descriptor_, piece, path_); }

  void bring_to_the_disk() {
    if (::fsync(descriptor_) != 0) throw OutputError("write", path_);
    // Some file systems have the last word here.
    if (::close(std::exchange(descriptor_, -1)) != 0) throw OutputError("write", path_);
  }

  void rename() {
    if (::rename(name_.c_str(), path_.c_str()) != 0) throw OutputError("replace", path_);
    renamed_ = true;
  }

 private:
  std::string path_, name_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

}  // namespace

OutputError::OutputError(const std::string& doing, const std::string& path)
    : OutputError(doing, path, std::strerror(errno)) {}

OutputError::OutputError(const std::string& doing, const std::string& path,
                         const std::string& reason)
    : message_(fmt::format("{}: cannot {}: {}", path, doing, reason)) {}

void check_replaceable(const std::string& path) {
  if (path.empty()) throw InputError("the name of the file to write is empty");
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) throw InputError(fmt::format("{}: is a folder", path));
  if (S_ISLNK(status.st_mode)) {
    throw InputError(fmt::format(
        "{}: is a symbolic link and would stop being one; name the file that it points to", path));
  }
  throw InputError(fmt::format("{}: is {}, and only a regular file is replaced", path,
                               S_ISFIFO(status.st_mode)   ? "a pipe"
                               : S_ISSOCK(status.st_mode) ? "a socket"
                                                          : "a device"));
}

bool is_temporary_of(const std::string& name, const std::string& file) {
  const std::string first = temporary_prefix(file);
  if (name.size() != first.size() + kRandomDigits + kTemporaryEnd.size()) return false;
  return name.starts_with(first) && name.ends_with(kTemporaryEnd) &&
         name.substr(first.size(), kRandomDigits).find_first_not_of("0123456789abcdef") ==
             std::string::npos;
}

void write_atomically(const std::string& path, const std::string& content) {
  write_atomically(path, [&](const PieceSink& sink) { sink(content); });
}

void write_atomically(const std::string& path, const std::function<void(const PieceSink&)>& write) {
  check_replaceable(path);
  Temporary beside(path);
  write([&](std::string_view piece) { beside.write(piece); });
  beside.bring_to_the_disk();
  beside.rename();
  sync_folder_of(path);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  // An empty file is read like any other, though inserting nothing counts as a failure of
  // `content`.
  if (file && file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
  if (!file.is_open() || file.bad() || !content) {
    throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  }
  return content.str();
}

namespace {

// The system's own words for a link that may not be followed are of loops.
OutputError failed_to_open(const std::string& doing, const std::string& path) {
  if (errno == ELOOP) return {doing, path, "it is a symbolic link"};
  return {doing, path};
}

}  // namespace

GrowingFile GrowingFile::create(const std::string& path) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) throw failed_to_open("create", path);
  return {path, descriptor, 0};
}

GrowingFile GrowingFile::reopen(const std::string& path, std::uint64_t size) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) throw failed_to_open("open", path);
  GrowingFile file(path, descriptor, size);
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0 || static_cast<std::uint64_t>(end) < size) {
    throw InputError(fmt::format("{}: is shorter than it was at the last checkpoint", path));
  }
  if (::ftruncate(descriptor, static_cast<off_t>(size)) != 0) throw OutputError("shorten", path);
  if (::lseek(descriptor, 0, SEEK_END) < 0) throw OutputError("open", path);
  return file;
}

GrowingFile::GrowingFile(std::string path, int descriptor, std::uint64_t size)
    : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

GrowingFile::GrowingFile(GrowingFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      pending_(std::move(other.pending_)) {}

GrowingFile::~GrowingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void GrowingFile::append(const std::string& text) {
  pending_ += text;
  constexpr std::size_t kBufferBytes = 1 << 16;
  if (pending_.size() > kBufferBytes) write_pending();
}

void GrowingFile::write_pending() {
  write_all(descriptor_, pending_, path_);
  size_ += pending_.size();
  pending_.clear();
}

void GrowingFile::overwrite(std::uint64_t position, const std::string& text) {
  const ssize_t taken =
      ::pwrite(descriptor_, text.data(), text.size(), static_cast<off_t>(position));
  if (taken != static_cast<ssize_t>(text.size())) throw OutputError("write", path_);
}

std::uint64_t GrowingFile::flush() {
  write_pending();
  if (::fdatasync(descriptor_) != 0) throw OutputError("write", path_);
  return size_;
}

}  // namespace ulisse
