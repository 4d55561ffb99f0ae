#include "fit/replace_fit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "fit/own_files.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

namespace fs = std::filesystem;

std::string new_in(const std::string& folder) { return folder + "/.new"; }
std::string moving_into(const std::string& folder) { return folder + "/.moving-in"; }
std::string moved_into(const std::string& folder) { return folder + "/.moved-in"; }

// Names are on the disk only once the folder is. Some file systems cannot do that for folders, and
// do without.
void sync(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// A link costs nothing; where there are none, a copy.
void put(const fs::path& file, const fs::path& there) {
  std::error_code error;
  fs::create_hard_link(file, there, error);
  if (error) write_atomically(there.string(), read_file(file.string()));
}

// The description comes last: without it there is no fit to those who know nothing of all this.
void move_in(const std::string& folder) {
  const std::string from = moving_into(folder);
  const auto there = [&](const fs::path& file) { return fs::path(folder) / file.filename(); };
  const fs::path description = fs::path(from) / "fit.json";
  fs::remove(there(description));
  for (const fs::path& file : files_of_a_fit(folder)) fs::remove(file);
  for (const fs::path& file : files_of_a_fit(from)) {
    if (file != description) put(file, there(file));
  }
  put(description, there(description));
  sync(folder);
  fs::rename(from, moved_into(folder));
  sync(folder);
}

// A folder of that name, and no link to one elsewhere.
bool is_there(const std::string& path) {
  std::error_code error;
  return fs::is_directory(fs::symlink_status(path, error));
}

void remove_leftovers(const std::string& path) {
  if (is_there(path)) FitFolder(path).discard();
}

template <class F>
void or_say_what_failed(const std::string& folder, const F& steps) {
  try {
    steps();
  } catch (const fs::filesystem_error& error) {
    throw OutputError("replace the fit in", folder, error.code().message());
  }
}

}  // namespace

std::string place_of_fit(const std::string& folder) {
  std::error_code error;
  const std::string within = moving_into(folder);
  return is_there(within) && fs::exists(within + "/fit.json", error) ? within : folder;
}

FitFolder begin_successor(const std::string& folder) {
  for (const std::string& path : {new_in(folder), moving_into(folder), moved_into(folder)}) {
    std::error_code error;
    if (fs::exists(fs::symlink_status(path, error))) {
      throw InputError(fmt::format(
          "{}: is in the way of the fit that is to replace the old one; move it elsewhere", path));
    }
  }
  FitFolder successor(new_in(folder));
  successor.create();
  return successor;
}

void replace_fit(const std::string& folder) {
  sync(new_in(folder));
  or_say_what_failed(folder, [&] { fs::rename(new_in(folder), moving_into(folder)); });
  sync(folder);
  finish_replacement(folder);
}

void finish_replacement(const std::string& folder) {
  remove_leftovers(moved_into(folder));
  if (place_of_fit(folder) != folder) {
    or_say_what_failed(folder, [&] { move_in(folder); });
    remove_leftovers(moved_into(folder));
  }
  remove_leftovers(moving_into(folder));
  remove_leftovers(new_in(folder));
}

}  // namespace ulisse
