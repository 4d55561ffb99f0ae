#include "earlier_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

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

EarlierFit::EarlierFit(const std::string& folder) : folder_(folder), json_(folder_.read_json()) {
  or_say_damaged(folder_, [&] {
    const Json& about = json_.at("data");
    const bool kept = std::filesystem::exists(folder_.data_file());
    own_.file = kept ? folder_.data_file() : about.value("path", "");
    own_.separator = kept ? "," : about.value("separator", ",");
    own_.no_header = !kept && !about.value("header", true);
    own_.target = about.at("target");
    own_.features = about.at("features").get<std::vector<std::string>>();
    own_.model = fit_record(json_, folder_.json_file()).settings.model;
  });
}

void EarlierFit::complete(const CLI::App& fit, DataOptions& data) {
  const auto given = [&](const char* name) { return fit.get_option(name)->count() > 0; };
  own_table_ = !given("data");
  or_say_damaged(folder_, [&] {
    if (!given("--target")) data.target = own_.target;
    if (!given("--features")) data.features = own_.features;
    if (!given("--kernel")) data.model.kernel = own_.model.kernel;
    if (!given("--prior")) data.model.priors = own_.model.priors;
    data.model.default_priors = own_.model.default_priors;
    if (!given("--fix")) data.model.fixed = own_.model.fixed;
    if (!given("--prior-units")) data.model.prior_units = own_.model.prior_units;
    if (!given("--trend")) data.model.trend = own_.model.trend;
    if (!given("--trend-scale")) data.model.trend_scale = own_.model.trend_scale;
    if (given("--no-standardise")) return;
    data.no_standardise = !json_.at("settings").at("standardise").get<bool>();
  });
  if (own_table_) take_own_table(data);
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
  // A kernel and priors may have been given, which are compared with the fit's before all else.
  raw.model.given = data.model;
  return raw;
}

}  // namespace ulisse::cli
