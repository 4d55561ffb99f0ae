#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>

// Files that survive a crash, a kill and a full disk.
namespace ulisse {

// What a write that failed throws: the path and the system's reason, which is errno's unless given.
class OutputError : public std::exception {
 public:
  OutputError(const std::string& doing, const std::string& path);
  OutputError(const std::string& doing, const std::string& path, const std::string& reason);
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// The whole content or nothing: written beside it under a name that nobody can guess, brought to
// the disk, then renamed; a write or a rename that fails leaves nothing behind. Throws OutputError,
// or what check_replaceable throws.
void write_atomically(const std::string& path, const std::string& content);

// The same for content that is made piece by piece: write(sink) calls sink(piece) for each.
using PieceSink = std::function<void(std::string_view)>;
void write_atomically(const std::string& path, const std::function<void(const PieceSink&)>& write);

// Throws InputError unless `path` names a regular file or nothing: a device, a pipe, a socket, a
// folder or a link (which would stop being one) is not to be replaced.
void check_replaceable(const std::string& path);

// Whether `name` is what a write_atomically() to `file`, both without their folder, leaves beside
// it when it is killed: ".fit.json.0123456789ab.new" for "fit.json".
bool is_temporary_of(const std::string& name, const std::string& file);

// Throws InputError when there is no such file or it cannot be read.
std::string read_file(const std::string& path);

// A file that only grows. Its size after flush() is a point that one can come back to.
class GrowingFile {
 public:
  // A new file, or what is there up to `size`, the rest cut off. Links are not followed.
  static GrowingFile create(const std::string& path);
  static GrowingFile reopen(const std::string& path, std::uint64_t size);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile(const GrowingFile&) = delete;
  GrowingFile& operator=(const GrowingFile&) = delete;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();

  void append(const std::string& text);  // may stay in memory
  std::uint64_t flush();                 // everything to the disk; returns the size

  // Replaces bytes that are on the disk already.
  void overwrite(std::uint64_t position, const std::string& text);

 private:
  GrowingFile(std::string path, int descriptor, std::uint64_t size);
  void write_pending();

  std::string path_;
  int descriptor_;
  std::uint64_t size_;  // on the disk
  std::string pending_;
};

}  // namespace ulisse
