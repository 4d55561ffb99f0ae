#include "predict/saved_fit.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/option_names.h"
#include "fit/fit_draws.h"
#include "predict/fit_id.h"
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

// From the folder, or from where they were read where the folder keeps none.
Dataset training_data(const FitFolder& folder, const FitRecord::Data& about) {
  std::error_code ignored;
  const bool kept = std::filesystem::exists(folder.data_file(), ignored);
  const std::string path = kept ? folder.data_file() : about.path;
  if (path.empty()) {
    throw InputError(fmt::format(
        "{}: the fit keeps no data, and came from none that can be read again", folder.path()));
  }
  require_regular_file(path, folder.path());
  CsvOptions options{.target = about.target, .features = about.features};
  if (!kept) options.separator = about.separator[0];
  if (!kept) options.header = about.header;
  Dataset data = read_quietly(path, options, folder);
  if (fingerprint(data) != about.fingerprint) fail_changed(path, folder);
  return data;
}

}  // namespace

SavedFit load_fit(const FitFolder& folder) {
  const FitRecord record = folder.read_record();
  const Standardisation& scaling = record.required_scaling();
  const Matrix psi = read_psi(folder, record);
  const Dataset raw = training_data(folder, record.required_data());
  if (record.parameters.empty()) {
    throw InputError(fmt::format("{}: parameters: is missing", record.file));
  }
  return {.data = scaled(raw, scaling),
          .scaling = scaling,
          .model = make_model(parse_kernel(record.settings.kernel), raw.x.cols()),
          .psi = psi,
          .mode = record.required_mode().psi,
          .id = fit_id(folder.read_json())};
}

Matrix spread_draws(const Matrix& psi, Index count) {
  if (count >= psi.rows()) return psi;
  Matrix chosen(count, psi.cols());
  for (Index i = 0; i < count; ++i) chosen.row(i) = psi.row((2 * i + 1) * psi.rows() / (2 * count));
  return chosen;
}

}  // namespace ulisse
