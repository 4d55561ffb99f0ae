#include "earlier_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "fit/model_of_fit.h"
#include "options.h"
#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

using Json = nlohmann::ordered_json;

// Keys of fit.json that are missing, or of another kind, as in one of another version.
template <class F>
auto or_say_damaged(const FitFolder& folder, const F& read) {
  try {
    return read();
  } catch (const Json::exception&) {
    throw InputError(
        fmt::format("{}: is damaged, or of another version of ulisse, so that the fit cannot go on",
                    folder.json_file()));
  }
}

}  // namespace

EarlierFit::EarlierFit(const std::string& folder)
    : folder_(folder), json_(folder_.read_json()), record_(folder_.read_record()) {
  or_say_damaged(folder_, [&] {
    json_.at("settings").at("kernel");
    json_.at("settings").at("priors");
    json_.at("data").at("target");
  });
  const FitRecord::Data& about = record_.required_data();
  columns_ = columns_of(about);
  const bool kept = std::filesystem::exists(folder_.data_file());
  own_.file = kept ? folder_.data_file() : about.path;
  own_.separator = kept ? "," : about.separator;
  own_.no_header = !kept && !about.header;
  own_.drop_missing = !kept && about.drop_missing;
  own_.target = about.target;
  own_.features = about.features;
  own_.like = &columns_;
  own_.model = record_.settings.model;
}

void EarlierFit::complete(const CLI::App& fit, DataOptions& data) {
  const auto given = [&](const char* name) { return fit.get_option(name)->count() > 0; };
  own_table_ = !given("data");
  or_say_damaged(folder_, [&] {
    if (!given("--target")) data.target = own_.target;
    if (!given("--features")) data.features = own_.features;
    if (!given("--kernel")) data.model.kernel = own_.model.kernel;
    // Of another kernel, which is refused, they would be nothing.
    const bool same_kernel = data.model.kernel == own_.model.kernel;
    if (!given("--prior") && same_kernel) data.model.priors = own_.model.priors;
    data.model.default_priors = own_.model.default_priors;
    if (!given("--fix") && same_kernel) data.model.fixed = own_.model.fixed;
    if (!given("--prior-units")) data.model.prior_units = own_.model.prior_units;
    if (!given("--trend")) data.model.trend = own_.model.trend;
    if (!given("--trend-scale")) data.model.trend_scale = own_.model.trend_scale;
    if (given("--no-standardise")) return;
    data.no_standardise = !json_.at("settings").at("standardise").get<bool>();
  });
  complete_columns(fit, data);
  if (own_table_) take_own_table(data);
}

// What the cells of columns are is known, whatever the first of them may look like.
void EarlierFit::complete_columns(const CLI::App& fit, DataOptions& data) const {
  const auto given = [&](const char* name) { return fit.get_option(name)->count() > 0; };
  check_columns("--exclude", data.exclude,
                [&](std::size_t k) { return k == columns_.features.size(); });
  check_columns("--categories", data.categories, [&](std::size_t k) {
    return k < columns_.levels.size() && !columns_.levels[k].empty();
  });
  data.exclude.clear();
  data.categories.clear();
  check_noise(data);
  if (record_.data->drop_missing) data.drop_missing = true;
  if (!given("--features")) data.like = &columns_;
}

// What is given again must say what the fit knows of its columns.
void EarlierFit::check_columns(const char* option, const std::vector<std::string>& given,
                               const std::function<bool(std::size_t)>& fits) const {
  const auto& features = columns_.features;
  for (const std::string& list : given) {
    const bool whole = std::find(features.begin(), features.end(), list) != features.end();
    for (const std::string& name : whole ? std::vector{list} : split(list)) {
      const auto at = std::find(features.begin(), features.end(), name) - features.begin();
      if (fits(static_cast<std::size_t>(at))) continue;
      throw InputError(
          fmt::format("{}: cannot be resumed with {} {}: the fit knows its columns, which are {}",
                      folder_.path(), option, name, fmt::join(features, ",")));
    }
  }
}

void EarlierFit::check_noise(const DataOptions& data) const {
  const auto& known = columns_.known_noise;
  const std::string name = known ? own_.features[static_cast<std::size_t>(known->column)] : "";
  const bool variance = known && known->is_variance;
  for (const auto& [option, given, fits] :
       {std::tuple("--noise-sd", data.noise_sd, !variance),
        std::tuple("--noise-variance", data.noise_variance, variance)}) {
    if (given.empty() || (fits && given == name)) continue;
    throw InputError(fmt::format(
        "{}: cannot be resumed with {} {}: {}", folder_.path(), option, given,
        known ? fmt::format("the fit has {} {}", variance ? "--noise-variance" : "--noise-sd", name)
              : "the fit knows nothing of its rows' noise"));
  }
}

// The columns have to be known before the table is read, which has no others where it is the
// folder's.
void EarlierFit::take_own_table(DataOptions& data) const {
  const auto names = data.features.size() == 1 ? split(data.features[0]) : data.features;
  if (data.target != own_.target || (data.features != own_.features && names != own_.features)) {
    throw InputError(fmt::format(
        "{}: cannot be resumed, since --target or --features differ from the fit's, which are {} "
        "and {}",
        folder_.path(), own_.target, fmt::join(own_.features, ",")));
  }
  if (own_.file.empty()) {
    throw InputError(fmt::format(
        "{}: the fit keeps no data, and came from none that can be read again; name its table",
        folder_.path()));
  }
  data.file = own_.file;
  data.separator = own_.separator;
  data.no_header = own_.no_header;
}

RawData EarlierFit::load(const DataOptions& data) const {
  if (!own_table_) return load_raw(data);
  const InputError changed(
      fmt::format("{}: is not the table that the fit in {} was made from, or not as it was; bring "
                  "it back, or name the table",
                  own_.file, folder_.path()));
  RawData raw;
  try {
    raw = load_raw(own_);
  } catch (const InputError&) {
    throw changed;
  }
  if (fingerprint(raw.data) != json_.at("data").value("fingerprint", "")) throw changed;
  // Another model is compared with the fit's before all else.
  if (data.model != own_.model) raw.model = make_model(data.model, raw.data);
  return raw;
}

}  // namespace ulisse::cli
