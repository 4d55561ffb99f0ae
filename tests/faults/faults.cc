// Preloaded into a program (LD_PRELOAD), it counts the operations on files below FAULTS_UNDER and
// at number FAULTS_AT ends the program (FAULTS_KIND=kill) or fails with FAULTS_KIND=EIO or ENOSPC.
// A write is done by half first, as a power cut or a full disk may have it; a disk that is full
// stays full. FAULTS_LOG names a file that gets a line for each operation. FAULTS_NO_LOCKS=1 makes
// the file system one that knows no locks.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <bitset>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kMostDescriptors = 4096;
std::bitset<kMostDescriptors> watched;  // descriptors of files below the folder
std::atomic<long> count = 0;
std::atomic<bool> disk_is_full = false;

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

template <class F>
F real(const char* name) {
  return reinterpret_cast<F>(::dlsym(RTLD_NEXT, name));
}

bool is_below(const char* path) {
  static const char* const folder = setting("FAULTS_UNDER");
  const std::size_t length = std::strlen(folder);
  return length > 0 && path != nullptr && std::strncmp(path, folder, length) == 0;
}

bool is_watched(int descriptor) {
  return descriptor >= 0 && descriptor < kMostDescriptors && watched[descriptor];
}

void note(long number, const char* operation, const char* path) {
  static const char* const log = setting("FAULTS_LOG");
  if (*log == '\0') return;
  char line[4400];
  const int length = std::snprintf(line, sizeof line, "%ld %s %s\n", number, operation, path);
  const long file = ::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
  ::syscall(SYS_write, file, line, length);
  ::syscall(SYS_close, file);
}

bool is_kind(const char* kind) {
  static const char* const wanted = setting("FAULTS_KIND");
  return std::strcmp(wanted, kind) == 0;
}

[[noreturn]] void end_here() {
  ::syscall(SYS_kill, ::getpid(), SIGKILL);
  for (;;) ::pause();
}

enum class Fault { none, now, half };  // half: what can be done by half is

// Counts an operation, and says whether it is to fail, with errno set.
Fault fault_of(const char* operation, const char* path, bool takes_space = false) {
  static const long at = std::atol(setting("FAULTS_AT"));
  const long number = ++count;
  note(number, operation, path);
  const bool here = number == at;
  if (here && is_kind("kill")) {
    if (std::strcmp(operation, "write") != 0) end_here();
    return Fault::half;
  }
  if (here && is_kind("EIO")) {
    errno = EIO;
    return Fault::now;
  }
  if (here && is_kind("ENOSPC")) disk_is_full = true;
  if (!disk_is_full || !takes_space) return Fault::none;
  errno = ENOSPC;
  return here ? Fault::half : Fault::now;
}

int watch(int descriptor, bool below) {
  if (descriptor >= 0 && descriptor < kMostDescriptors) watched[descriptor] = below;
  return descriptor;
}

int open_file(const char* name, const char* path, int flags, mode_t mode) {
  const auto call = real<int (*)(const char*, int, mode_t)>(name);
  if (!is_below(path)) return watch(call(path, flags, mode), false);
  const bool creates = (flags & O_CREAT) != 0;
  if (fault_of(creates ? "create" : "open", path, creates) != Fault::none) return -1;
  return watch(call(path, flags, mode), true);
}

std::FILE* open_stream(const char* name, const char* path, const char* mode) {
  const auto call = real<std::FILE* (*)(const char*, const char*)>(name);
  if (!is_below(path)) return call(path, mode);
  if (fault_of("open", path) != Fault::none) return nullptr;
  std::FILE* file = call(path, mode);
  if (file != nullptr) watch(::fileno(file), true);
  return file;
}

// After half of a write the program ends, or is told how much was taken.
template <class Write>
ssize_t write_some(int descriptor, size_t size, const Write& write) {
  if (!is_watched(descriptor)) return write(size);
  const Fault fault = fault_of("write", "", true);
  if (fault == Fault::now) return -1;
  if (fault == Fault::none) return write(size);
  const ssize_t done = size > 1 ? write(size / 2) : -1;
  if (is_kind("kill")) end_here();
  if (done < 0) errno = ENOSPC;
  return done;
}

template <class F, class... Arguments>
int on_path(const char* name, const char* path, bool takes_space, Arguments... arguments) {
  if (is_below(path) && fault_of(name, path, takes_space) != Fault::none) return -1;
  return real<F>(name)(arguments...);
}

template <class F, class... Arguments>
int on_descriptor(const char* name, int descriptor, Arguments... arguments) {
  if (is_watched(descriptor) && fault_of(name, "") != Fault::none) return -1;
  return real<F>(name)(descriptor, arguments...);
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_file("open64", path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) { return open_stream("fopen", path, mode); }
FILE* fopen64(const char* path, const char* mode) { return open_stream("fopen64", path, mode); }

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < kMostDescriptors) watched[descriptor] = false;
  return real<int (*)(int)>("close")(descriptor);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  if (is_watched(descriptor) && fault_of("read", "") != Fault::none) return -1;
  return real<ssize_t (*)(int, void*, size_t)>("read")(descriptor, bytes, size);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const auto call = real<ssize_t (*)(int, const void*, size_t)>("write");
  return write_some(descriptor, size, [&](size_t some) { return call(descriptor, bytes, some); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  const auto call = real<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return write_some(descriptor, size,
                    [&](size_t some) { return call(descriptor, bytes, some, at); });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  return pwrite(descriptor, bytes, size, at);
}

int ftruncate(int descriptor, off_t size) noexcept {
  return on_descriptor<int (*)(int, off_t)>("ftruncate", descriptor, size);
}
int ftruncate64(int descriptor, off64_t size) noexcept {
  return on_descriptor<int (*)(int, off64_t)>("ftruncate64", descriptor, size);
}
int fsync(int descriptor) { return on_descriptor<int (*)(int)>("fsync", descriptor); }
int fdatasync(int descriptor) { return on_descriptor<int (*)(int)>("fdatasync", descriptor); }

int rename(const char* from, const char* to) noexcept {
  return on_path<int (*)(const char*, const char*)>("rename", to, false, from, to);
}
int link(const char* from, const char* to) noexcept {
  return on_path<int (*)(const char*, const char*)>("link", to, true, from, to);
}
int unlink(const char* path) noexcept {
  return on_path<int (*)(const char*)>("unlink", path, false, path);
}
int remove(const char* path) noexcept {
  return on_path<int (*)(const char*)>("remove", path, false, path);
}
int rmdir(const char* path) noexcept {
  return on_path<int (*)(const char*)>("rmdir", path, false, path);
}
int mkdir(const char* path, mode_t mode) noexcept {
  return on_path<int (*)(const char*, mode_t)>("mkdir", path, true, path, mode);
}

int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const bool locks = command == F_OFD_SETLK || command == F_OFD_GETLK;
  if (locks && *setting("FAULTS_NO_LOCKS") != '\0') {
    errno = ENOLCK;
    return -1;
  }
  return real<int (*)(int, int, void*)>("fcntl64")(descriptor, command, argument);
}

int fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return fcntl64(descriptor, command, argument);
}

}  // extern "C"
