#include "predict/saved_fit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json_text.h"
#include "draws/chain_file.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

Standardisation scaling_of(const Json& json) {
  return {.x_mean = vector_of(json.at("x_mean")),
          .x_sd = vector_of(json.at("x_sd")),
          .y_mean = json.at("y_mean"),
          .y_sd = json.at("y_sd")};
}

// From the folder, or from where they were read when the folder was told to keep none.
Dataset training_data(const FitFolder& folder, const Json& about) {
  const bool kept = std::filesystem::exists(folder.data_file());
  const std::string path = kept ? folder.data_file() : about.value("path", "");
  if (path.empty()) {
    throw InputError(fmt::format(
        "{}: the fit keeps no data, and came from none that can be read again", folder.path()));
  }
  CsvOptions options{.target = about.at("target"), .features = about.at("features")};
  if (!kept) options.separator = about.value("separator", std::string(",")).at(0);
  Dataset data = read_csv(path, options);
  if (fingerprint(data) != about.at("fingerprint")) {
    throw InputError(
        fmt::format("{}: the data have changed since the fit in {}, which keeps none; bring the "
                    "table of the fit back, or fit again without --no-data",
                    path, folder.path()));
  }
  return data;
}

Matrix draws_of(const FitFolder& folder, int chains) {
  std::vector<Matrix> parts;
  Index rows = 0;
  for (int c = 0; c < chains; ++c) {
    if (!std::filesystem::exists(folder.chain_file(c))) break;
    const ChainDraws chain = read_chain(folder.chain_file(c));
    if (chain.parameters.empty()) continue;
    parts.emplace_back(chain.theta.array().log());
    rows += parts.back().rows();
  }
  if (rows == 0) {
    throw InputError(
        fmt::format("{}: there are no draws yet; go on with fit --resume", folder.path()));
  }
  Matrix all(rows, parts[0].cols());
  Index row = 0;
  for (const Matrix& part : parts) {
    all.middleRows(row, part.rows()) = part;
    row += part.rows();
  }
  return all;
}

}  // namespace

SavedFit load_fit(const FitFolder& folder) {
  const Json json = folder.read_json();
  const Matrix psi = draws_of(folder, json.at("settings").at("chains"));
  const Dataset raw = training_data(folder, json.at("data"));
  const Standardisation scaling = scaling_of(json.at("scaling"));
  return {.data = scaled(raw, scaling),
          .scaling = scaling,
          .model = make_model(parse_kernel(json.at("settings").at("kernel")), raw.x.cols()),
          .psi = psi,
          .mode = vector_of(json.at("mode").at("psi"))};
}

Matrix spread_draws(const Matrix& psi, Index count) {
  if (count >= psi.rows()) return psi;
  Matrix chosen(count, psi.cols());
  for (Index i = 0; i < count; ++i) chosen.row(i) = psi.row((2 * i + 1) * psi.rows() / (2 * count));
  return chosen;
}

}  // namespace ulisse
