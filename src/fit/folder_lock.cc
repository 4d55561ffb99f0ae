#include "fit/folder_lock.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/option_names.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

struct Writer {
  pid_t pid = 0;
  std::string host, since;

  std::string words() const {
    if (pid == 0) return "another process";
    const std::string where = host.empty() ? "" : " on " + host;
    return fmt::format("process {}{} since {}", pid, where, since);
  }
  bool is_gone() const { return host == ulisse::host() && ::kill(pid, 0) != 0 && errno == ESRCH; }
};

// Another's words reach the terminal: nothing but what hosts and dates are made of.
bool is_plain(const std::string& text) {
  return text.size() < 100 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == ':' || c == ' ';
         });
}

std::string content_of(int descriptor) {
  std::string text(1000, '\0');
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, size)));
  return text;
}

constexpr std::string_view kKey = "ulisse_fit_of_process";

// Or it is another's. A kill may have cut it short.
bool begins_like_a_lock(const std::string& text) {
  const std::string begin = fmt::format("{{\"{}\":", kKey);
  return text.starts_with(begin) || begin.starts_with(text);
}

// Nothing where the text is not that of a lock.
std::optional<Writer> writer_in(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains(std::string(kKey))) return std::nullopt;
  const Json pid = json.at(std::string(kKey)), where = json.value("host", Json()),
             since = json.value("since", Json());
  if (!pid.is_number_integer() || !where.is_string() || !since.is_string()) return std::nullopt;
  Writer writer{pid.get<pid_t>(), where.get<std::string>(), since.get<std::string>()};
  if (writer.pid <= 0 || !is_plain(writer.host) || !is_plain(writer.since)) return std::nullopt;
  return writer;
}

struct flock whole_file(short kind) {
  struct flock range {};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  return range;
}

// Errors of file systems without locks.
bool knows_no_locks(int error) {
  return error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
}

bool is_the_file_at(const std::string& path, int descriptor) {
  struct stat open {
  }, there{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         open.st_ino == there.st_ino && open.st_dev == there.st_dev;
}

// No link is followed, and no pipe waited for.
constexpr int kCarefully = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

[[noreturn]] void refuse(const std::string& folder, const std::string& who,
                         const std::string& advice = "") {
  throw InputError(
      fmt::format("{}: another fit is being written there, by {}; wait for its end, or name "
                  "another folder as {}{}",
                  folder, who, option_named("out"), advice));
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : folder_(folder), path_(file_in(folder)) {
  // Each of them may have found a file that its owner was about to remove.
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    std::error_code error, ignored;
    made_folder_ = fs::create_directories(folder_, error) || made_folder_;
    if (!fs::is_directory(folder_, ignored)) {
      throw OutputError("make the folder", folder_,
                        error ? error.message() : "something else has that name");
    }
    if (!try_to_take()) continue;
    sign();
    return;
  }
  refuse(folder_, "one fit after the other");
}

// Made by this process, or one that is there.
bool FolderLock::open_file() {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | kCarefully, 0666);
  made_file_ = descriptor_ >= 0;
  if (errno == EEXIST && !made_file_) descriptor_ = ::open(path_.c_str(), O_RDWR | kCarefully);
  if (descriptor_ >= 0) return true;
  if (errno == ENOENT) return false;  // the file, or the folder, has just been removed
  if (errno == ELOOP) {
    throw InputError(fmt::format("{}: is a symbolic link, and a fit writes through none", path_));
  }
  throw OutputError("create", path_);
}

bool FolderLock::try_to_take() {
  if (!open_file()) return false;
  try {
    require_own_file();
    struct flock range = whole_file(F_WRLCK);
    if (::fcntl(descriptor_, F_OFD_SETLK, &range) == 0) {
      if (is_the_file_at(path_, descriptor_)) return true;
    } else if (knows_no_locks(errno)) {
      if (made_file_) return true;
      remove_if_left_over();
    } else if (errno == EAGAIN || errno == EACCES) {
      refuse(folder_, writer_in(content_of(descriptor_)).value_or(Writer()).words());
    } else {
      throw OutputError("lock", path_);
    }
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  ::close(descriptor_);
  return false;
}

void FolderLock::require_own_file() const {
  struct stat about {};
  const bool regular = ::fstat(descriptor_, &about) == 0 && S_ISREG(about.st_mode);
  if (regular && begins_like_a_lock(content_of(descriptor_))) return;
  throw InputError(
      fmt::format("{}: is of no fit, and a fit writes to a file of that name; name another folder "
                  "as {}",
                  path_, option_named("out")));
}

// Without a lock of the kernel's. A file without words may be about to get them.
void FolderLock::remove_if_left_over() const {
  constexpr int kSecondsToSign = 10;
  struct stat about {};
  const auto writer = writer_in(content_of(descriptor_));
  const bool old =
      ::fstat(descriptor_, &about) == 0 && std::time(nullptr) - about.st_mtime > kSecondsToSign;
  if (writer ? !writer->is_gone() : !old) {
    refuse(folder_, writer.value_or(Writer()).words(),
           fmt::format("; if that process is gone, delete {}", path_));
  }
  ::unlink(path_.c_str());
}

void FolderLock::sign() const {
  const Json json = {
      {std::string(kKey), ::getpid()},
      {"host", host()},
      {"since", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)))}};
  const std::string text = json.dump() + "\n";
  const bool written =
      ::ftruncate(descriptor_, 0) == 0 &&
      ::pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (written) return;
  const OutputError error("write", path_);
  give_back();
  throw error;
}

FolderLock::~FolderLock() { give_back(); }

void FolderLock::give_back() const {
  ::unlink(path_.c_str());  // while it is held: who has opened it looks whether it is still there
  ::close(descriptor_);
  std::error_code ignored;
  if (made_folder_) fs::remove(folder_, ignored);  // not when something is in it
}

std::optional<std::string> writer_of(const std::string& folder) {
  const int descriptor = ::open(FolderLock::file_in(folder).c_str(), O_RDONLY | kCarefully);
  if (descriptor < 0) return std::nullopt;
  struct flock range = whole_file(F_RDLCK);
  const bool asked = ::fcntl(descriptor, F_OFD_GETLK, &range) == 0;
  const auto writer = writer_in(content_of(descriptor));
  ::close(descriptor);
  const bool held = asked ? range.l_type != F_UNLCK : writer && !writer->is_gone();
  if (!held) return std::nullopt;
  return writer.value_or(Writer()).words();
}

void require_no_writer(const std::string& folder) {
  if (const auto writer = writer_of(folder)) refuse(folder, *writer);
}

}  // namespace ulisse
