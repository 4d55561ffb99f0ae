#pragma once

#include <optional>
#include <string>

namespace ulisse {

// Keeps other fits out of a folder while one writes there, by a lock on its file fit.lock, which
// says who holds it. The kernel takes the lock back when the process ends, however it ends: a file
// that a kill has left is no lock, and the next fit takes it over.
//
// The lock is one of fcntl's, of the open file description. Those reach over NFS, where flock may
// stay on the own machine; two fits of one process exclude each other, which fcntl's older locks do
// not do; and one can ask whether it is held without taking it. Where the file system knows no
// locks at all, what the file says has to do: it is made only where there is none, and is left over
// where the process that it names is gone from this machine.
class FolderLock {
 public:
  // Makes the folder where there is none. Throws InputError that names who writes there,
  // OutputError when the folder or the file cannot be made.
  explicit FolderLock(const std::string& folder);
  // Removes the file, and the folder where this has made it and nothing else is in it.
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  static std::string file_in(const std::string& folder) { return folder + "/fit.lock"; }

 private:
  bool try_to_take();
  bool open_file();
  void require_own_file() const;
  void remove_if_left_over() const;
  void sign() const;
  void give_back() const;

  std::string folder_, path_;
  bool made_folder_ = false, made_file_ = false;
  int descriptor_ = -1;
};

// Who writes a fit in the folder now, in words such as "process 1234 on host since 2026-05-04
// 13:12:11 UTC"; nothing where nobody does.
std::optional<std::string> writer_of(const std::string& folder);

// The sentence of FolderLock, before a table is read for a fit that cannot begin.
void require_no_writer(const std::string& folder);

}  // namespace ulisse
