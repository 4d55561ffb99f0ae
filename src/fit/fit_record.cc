#include "fit/fit_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "fit/column_record.h"
#include "fit/model_of_fit.h"
#include "model/prior_quantity.h"
#include "ulisse/error.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

// What another reader refuses, at its place in the file.
template <class F>
auto with_place(const JsonReader& at, const F& parse) {
  try {
    return parse(at.text());
  } catch (const InputError& error) {
    at.refuse(fmt::format("valid ({})", error.what()));
  }
}

// The columns that the table had: those that were used, in their order, and constant ones.
void check_all_features(const JsonReader& json, const std::vector<std::string>& used) {
  const std::vector<std::string> all = json.at("all_features").texts();
  auto next = used.begin();
  for (const std::string& name : all) {
    if (next != used.end() && name == *next) ++next;
  }
  if (next != used.end()) json.at("all_features").refuse("a list with all of features in it");
}

FitRecord::Data data_of(const JsonReader& json) {
  FitRecord::Data data;
  json.read("file", data.file);
  json.read("target", data.target);
  json.read("fingerprint", data.fingerprint);
  json.read("path", data.path);
  json.read("separator", data.separator);
  json.read("header", data.header);
  if (data.separator.size() != 1) json.at("separator").refuse("one character");
  data.features = json.at("features").texts();
  if (data.features.empty()) json.at("features").refuse("a list of one input or more");
  read_columns(json, data);
  if (json.has("all_features")) check_all_features(json, data.features);
  if (json.has("rows")) data.rows = json.at("rows").whole(1);
  return data;
}

Vector finite_and_positive(const JsonReader& json, Index count) {
  Vector values = json.numbers(count);
  if (!(values.array() > 0).all()) json.refuse("a list of positive numbers");
  return values;
}

Standardisation scaling_of(const JsonReader& json, Index inputs) {
  Standardisation s{.x_mean = json.at("x_mean").numbers(inputs),
                    .x_sd = finite_and_positive(json.at("x_sd"), inputs),
                    .y_mean = json.at("y_mean").number(),
                    .y_sd = json.at("y_sd").number()};
  if (!(s.y_sd > 0)) json.at("y_sd").refuse("a positive number");
  return s;
}

// Whoever reads on makes the model of it.
void check_model(const JsonReader& settings, const FitRecord& record) {
  try {
    model_of(record);
  } catch (const InputError& error) {
    settings.refuse(fmt::format("a model for the columns of the data ({})", error.what()));
  }
}

std::vector<FitRecord::Parameter> parameters_of(const JsonReader& json, const FitRecord& record) {
  std::vector<FitRecord::Parameter> all;
  std::vector<std::string> names;
  for (const JsonReader& item : json.items()) {
    FitRecord::Parameter p{.name = item.at("name").text(), .prior = item.at("prior").text()};
    item.read("input", p.input);
    item.read("prior_units", p.prior_units);
    names.push_back(p.name);
    all.push_back(std::move(p));
  }
  if (!record.data) return all;
  const Layout layout = model_of(record).layout;
  if (names != layout.names()) {
    json.refuse(fmt::format("those of the kernel {} with {} input{}", record.settings.model.kernel,
                            record.data->features.size(),
                            record.data->features.size() == 1 ? "" : "s"));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    with_place(json.items()[i].at("prior"), [&](const std::string& text) {
      return parse_stated_prior(text, layout.at(static_cast<Index>(i)));
    });
  }
  return all;
}

double share_of(const JsonReader& json, const std::string& key, double where_none) {
  if (!json.has(key)) return where_none;
  const double share = json.at(key).number();
  if (!(share >= 0 && share <= 1)) json.at(key).refuse("a number from 0 to 1");
  return share;
}

// parameters: -1 where their number is not known.
FitRecord::FoundMode mode_of(const JsonReader& json, Index parameters) {
  FitRecord::FoundMode mode;
  mode.psi = parameters < 0 ? json.at("psi").numbers() : json.at("psi").numbers(parameters);
  json.read("converged", mode.converged);
  json.read_or("distance", mode.distance, NAN);
  if (json.has("other_psi") && !json.at("other_psi").items().empty()) {
    mode.other_psi = json.at("other_psi").numbers(mode.psi.size());
  }
  mode.other_share = share_of(json, "other_share", 0);
  mode.second_share = share_of(json, "second_share", mode.other_share);
  if (mode.other_share > 0 && mode.other_psi.size() == 0) {
    json.at("other_share").refuse("0, since other_psi is empty");
  }
  return mode;
}

FitSettings settings_of(const JsonReader& json) {
  json.at("sampler");
  json.at("chains");  // whoever reads on relies on these two
  FitSettings settings = read_settings(json, false);
  for (const std::string& prior : settings.model.priors) {
    if (prior.find('=') == std::string::npos)
      json.at("priors").refuse("a list such as tau=gamma(1,1)");
  }
  return settings;
}

double seconds_of(const JsonReader& json, const std::string& key) {
  if (!json.has(key)) return 0;
  const double seconds = json.at(key).number();
  if (seconds < 0) json.at(key).refuse("a number from 0 on");
  return seconds;
}

void read_what_a_run_adds(const JsonReader& json, Index parameters, FitRecord& r) {
  json.read("warmup_iterations", r.warmup);
  json.read("draws", r.draws);
  r.seconds_setup = seconds_of(json, "seconds_setup");
  r.seconds_warmup = seconds_of(json, "seconds_warmup");
  r.seconds_sampling = seconds_of(json, "seconds_sampling");
  if (json.has("goal")) {
    JsonFieldsReader reader(json.at("goal"));
    r.goal.emplace().fields(reader);
  }
  if (json.has("setup")) r.setup = setup_record(json.at("setup"), parameters);
  if (!json.has("chains")) return;
  for (const JsonReader& chain : json.at("chains").items()) {
    r.chains.push_back(chain_record(chain, parameters));
  }
  if (static_cast<long>(r.chains.size()) != r.settings.chains) {
    json.at("chains").refuse(
        fmt::format("a list of {}, as settings.chains says", r.settings.chains));
  }
}

template <class T>
const T& required(const std::optional<T>& part, const std::string& file, const char* key) {
  if (part) return *part;
  throw InputError(fmt::format("{}: {}: is missing", file, key));
}

}  // namespace

const FitRecord::Data& FitRecord::required_data() const { return required(data, file, "data"); }

const Standardisation& FitRecord::required_scaling() const {
  return required(scaling, file, "scaling");
}

const FitRecord::FoundMode& FitRecord::required_mode() const {
  return required(mode, file, "mode");
}

FitRecord fit_record(const nlohmann::ordered_json& whole, const std::string& file) {
  const JsonReader json(whole, file);
  FitRecord r{.file = file};
  r.status = json.at("status").text();
  r.settings = settings_of(json.at("settings"));
  json.read("ulisse_version", r.version);
  json.read("sampler_reason", r.sampler_reason);
  json.read("backend", r.backend);
  if (json.has("notes")) r.notes = json.at("notes").texts();
  if (json.has("data")) r.data = data_of(json.at("data"));
  if (json.has("scaling")) {
    r.scaling = scaling_of(json.at("scaling"),
                           static_cast<Index>(json.at("data").at("features").json().size()));
  }
  if (r.data) check_model(json.at("settings"), r);
  if (json.has("parameters")) r.parameters = parameters_of(json.at("parameters"), r);
  Index parameters = json.has("parameters") ? static_cast<Index>(r.parameters.size()) : -1;
  if (json.has("mode")) {
    r.mode = mode_of(json.at("mode"), parameters);
    parameters = r.mode->psi.size();
  }
  if (json.has("metric")) {
    json.at("metric").items();
    if (parameters < 0) json.at("mode");  // which says how large it is
    r.metric = json.at("metric").square_or(parameters, NAN);
    if (!r.metric.allFinite()) json.at("metric").refuse("a list of rows of numbers");
  }
  read_what_a_run_adds(json, parameters, r);
  return r;
}

}  // namespace ulisse
