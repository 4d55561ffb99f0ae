#include "draws/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "ulisse/error.h"

namespace ulisse {

namespace {

// Throws unless all of it was taken. A full disk takes some of it first.
void write_all(int descriptor, const std::string& text, const std::string& path) {
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

}  // namespace

OutputError::OutputError(const std::string& doing, const std::string& path)
    : OutputError(doing, path, std::strerror(errno)) {}

OutputError::OutputError(const std::string& doing, const std::string& path,
                         const std::string& reason)
    : message_(fmt::format("{}: cannot {}: {}", path, doing, reason)) {}

void write_atomically(const std::string& path, const std::string& content) {
  const std::string beside = path + ".new";
  const int descriptor = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw OutputError("create", beside);
  try {
    write_all(descriptor, content, beside);
    if (::fsync(descriptor) != 0) throw OutputError("write", beside);
  } catch (...) {
    ::close(descriptor);
    ::unlink(beside.c_str());
    throw;
  }
  ::close(descriptor);
  if (::rename(beside.c_str(), path.c_str()) != 0) throw OutputError("replace", path);
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

GrowingFile GrowingFile::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) throw OutputError("create", path);
  return {path, descriptor, 0};
}

GrowingFile GrowingFile::reopen(const std::string& path, std::uint64_t size) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw OutputError("open", path);
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
  constexpr std::size_t kEnough = 1 << 16;
  if (pending_.size() > kEnough) write_pending();
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
