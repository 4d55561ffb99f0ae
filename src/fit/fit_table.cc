// The table that a fit was made from.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/option_names.h"
#include "fit/fit_files.h"
#include "fit/folder.h"
#include "fit/model_of_fit.h"
#include "fit/read_fit.h"
#include "fit/scratch_folder.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// One that can be read to its end: neither a pipe that nobody writes to nor /dev/zero.
void require_regular_file(const std::string& path, const std::string& folder) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_regular_file(status)) return;
  const bool exists = std::filesystem::exists(status);
  throw InputError(
      fmt::format("{}: is the table of the fit in {}, and {}", path, folder,
                  exists ? "is no regular file" : "cannot be read: " + error.message()));
}

[[noreturn]] void fail_changed(const std::string& path, const FitFolder& folder) {
  if (path == folder.data_file()) {
    throw InputError(fmt::format(
        "{}: has changed since the fit wrote it; bring it back as it was, or fit again", path));
  }
  throw InputError(
      fmt::format("{}: the data have changed since the fit in {}, which keeps none; bring the "
                  "table of the fit back, or fit again without {}",
                  path, folder.path(), option_named("no_data")));
}

// Without the reader's own words where it cannot be read: they quote the file.
Dataset read_quietly(const std::string& path, const CsvOptions& options, const FitFolder& folder) {
  try {
    return read_csv(path, options);
  } catch (const InputError&) {
    fail_changed(path, folder);
  }
}

// From the folder, or from where they were read when the folder was told to keep none.
Dataset table_of(const FitFolder& folder, const FitRecord::Data& about) {
  std::error_code ignored;
  // A fit in memory has no folder.
  const bool kept = !folder.path().empty() && std::filesystem::exists(folder.data_file(), ignored);
  const std::string path = kept ? folder.data_file() : about.path;
  if (path.empty()) {
    throw InputError(fmt::format(
        "{}: the fit keeps no data, and came from none that can be read again", folder.path()));
  }
  require_regular_file(path, folder.path());
  const Dataset columns = columns_of(about);
  CsvOptions options{
      .target = about.target, .drop_missing = !kept && about.drop_missing, .like = &columns};
  if (!kept) options.separator = about.separator[0];
  if (!kept) options.header = about.header;
  Dataset data = read_quietly(path, options, folder);
  if (fingerprint(data) != about.fingerprint) fail_changed(path, folder);
  return data;
}

// The reader of tables reads files.
Dataset table_in(const std::map<std::string, std::string>& files, const FitRecord::Data& about) {
  const ScratchFolder folder;
  const std::string path = folder.path() + "/" + kDataFile;
  std::ofstream(path, std::ios::binary) << files.at(kDataFile);
  const Dataset columns = columns_of(about);
  Dataset data = read_csv(path, {.target = about.target, .like = &columns});
  if (fingerprint(data) != about.fingerprint) {
    throw InputError(fmt::format("{}: has changed since the fit wrote it", kDataFile));
  }
  return data;
}

}  // namespace

Dataset data_of(const Fit& fit) {
  const Fit::Contents& contents = fit.contents();
  if (contents.data) return *contents.data;
  const FitRecord::Data& about = contents.record.required_data();
  if (contents.files.count(kDataFile) > 0) return table_in(contents.files, about);
  return table_of(FitFolder(contents.folder), about);
}

}  // namespace ulisse
