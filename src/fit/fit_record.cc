#include "fit/fit_record.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fit/model_of_fit.h"
#include "model/prior_quantity.h"
#include "ulisse/error.h"
#include "ulisse/model.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

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
void check_all_features(const JsonReader& json, const FitRecord::Data& data) {
  auto next = data.features.begin();
  for (const std::string& name : data.all_features) {
    if (next != data.features.end() && name == *next) ++next;
  }
  if (next != data.features.end()) json.refuse("a list with all of features in it");
}

void check_data(const JsonReader& json, const FitRecord::Data& data) {
  if (data.separator.size() != 1) json.at("separator").refuse("one character");
  if (data.features.empty()) json.at("features").refuse("a list of one input or more");
  if (json.has("all_features")) check_all_features(json.at("all_features"), data);
}

struct ScalingMembers {
  Standardisation& s;

  template <class V>
  void fields(V& v) {
    v("x_mean", s.x_mean, Needed{});
    v("x_sd", s.x_sd, Needed{});
    v("y_mean", s.y_mean, Needed{});
    v("y_sd", s.y_sd, Needed{});
  }
};

void check_scaling(const JsonReader& json, const Standardisation& s, Index inputs) {
  json.at("x_mean").numbers(inputs);
  json.at("x_sd").numbers(inputs);
  if (!(s.x_sd.array() > 0).all()) json.at("x_sd").refuse("a list of positive numbers");
  // Variances are in the table's units, too.
  if (!(s.y_sd > 0) || !std::isfinite(s.y_sd * s.y_sd)) {
    json.at("y_sd").refuse("a positive number whose square is finite");
  }
}

// Whoever reads on makes the model of it.
void check_model(const JsonReader& settings, const FitRecord& record) {
  try {
    model_of({.settings = record.settings, .data = record.data, .scaling = record.scaling});
  } catch (const InputError& error) {
    settings.refuse(fmt::format("a model for the columns of the data ({})", error.what()));
  }
}

void check_parameters(const JsonReader& json, const FitRecord& record) {
  const Layout layout =
      model_of({.settings = record.settings, .data = record.data, .scaling = record.scaling})
          .layout;
  std::vector<std::string> names;
  for (const FitRecord::Parameter& p : record.parameters) names.push_back(p.name);
  if (names != layout.names()) {
    json.refuse(fmt::format("those of the kernel {} with {} input{}", record.settings.model.kernel,
                            record.data->features.size(),
                            record.data->features.size() == 1 ? "" : "s"));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    with_place(json.items()[i].at("prior"), [&](const std::string& text) {
      return parse_stated_prior(text, layout.at(static_cast<Index>(i)));
    });
  }
}

// parameters: -1 where their number is not known.
void check_mode(const JsonReader& json, Index parameters, FitRecord::FoundMode& mode) {
  if (parameters >= 0) json.at("psi").numbers(parameters);
  if (mode.other_psi.size() > 0) json.at("other_psi").numbers(mode.psi.size());
  if (!json.has("second_share")) mode.second_share = mode.other_share;
  if (mode.other_share > 0 && mode.other_psi.size() == 0) {
    json.at("other_share").refuse("0, since other_psi is empty");
  }
}

void check_metric(const JsonReader& json, Index parameters) {
  json.at("metric").items();
  if (parameters < 0) json.at("mode");  // which says how large it is
  if (!json.at("metric").square_or(parameters, NAN).allFinite()) {
    json.at("metric").refuse("a list of rows of numbers");
  }
}

void check_chains(const JsonReader& json, Index parameters, const FitRecord& r) {
  for (const JsonReader& chain : json.items()) {
    if (parameters >= 0) check_shapes_of_chain(chain, parameters);
  }
  if (static_cast<long>(r.chains.size()) != r.settings.chains) {
    json.refuse(fmt::format("a list of {}, as settings.chains says", r.settings.chains));
  }
}

template <class T>
const T& required(const std::optional<T>& part, const std::string& file, const char* key) {
  if (part) return *part;
  throw InputError(fmt::format("{}: {}: is missing", file, key));
}

// What its parts must have in common.
void check_together(const JsonReader& json, FitRecord& r) {
  if (r.data) check_data(json.at("data"), *r.data);
  if (r.scaling) {
    check_scaling(json.at("scaling"), *r.scaling,
                  static_cast<Index>(json.at("data").at("features").json().size()));
  }
  if (r.data) check_model(json.at("settings"), r);
  if (r.data && json.has("parameters")) check_parameters(json.at("parameters"), r);
  Index parameters = json.has("parameters") ? static_cast<Index>(r.parameters.size()) : -1;
  if (r.mode) {
    check_mode(json.at("mode"), parameters, *r.mode);
    parameters = r.mode->psi.size();
  }
  if (json.has("metric")) check_metric(json, parameters);
  if (r.setup && parameters >= 0) check_shapes_of_setup(json.at("setup"), parameters);
  if (json.has("chains")) check_chains(json.at("chains"), parameters, r);
}

}  // namespace

void SettingsRule::read(const JsonReader& json, FitSettings& settings) const {
  json.at("sampler");
  json.at("chains");  // whoever reads on relies on these two
  settings = read_settings(json, false);
  for (const std::string& prior : settings.model.priors) {
    if (prior.find('=') == std::string::npos)
      json.at("priors").refuse("a list such as tau=gamma(1,1)");
  }
}

Json ScalingRule::write(const Standardisation& scaling) const {
  Standardisation s = scaling;
  return written(ScalingMembers{s});
}

void ScalingRule::read(const JsonReader& json, Standardisation& scaling) const {
  JsonFieldsReader reader(json);
  ScalingMembers{scaling}.fields(reader);
}

Json ChainsRule::write(const std::vector<ChainRecord>& chains) const {
  Json list = Json::array();
  for (const ChainRecord& chain : chains) list.push_back(to_json(chain));
  return list;
}

void ChainsRule::read(const JsonReader& json, std::vector<ChainRecord>& chains) const {
  for (const JsonReader& chain : json.items()) chains.push_back(chain_record(chain));
}

const FitRecord::Data& FitRecord::required_data() const { return required(data, file, "data"); }

const Standardisation& FitRecord::required_scaling() const {
  return required(scaling, file, "scaling");
}

const FitRecord::FoundMode& FitRecord::required_mode() const {
  return required(mode, file, "mode");
}

FitRecord fit_record(const Json& whole, const std::string& file) {
  const JsonReader json(whole, file);
  FitRecord r{.file = file};
  for (const char* key : {"status", "settings"}) json.at(key);
  JsonFieldsReader reader(json);
  r.fields_of_beginning(reader);
  r.fields_of_setup(reader);
  r.fields_of_draws(reader);
  check_together(json, r);
  return r;
}

Json to_json(const FitRecord& beginning) {
  FitRecord r = beginning;
  Json json;
  JsonWriter writer(json);
  r.fields_of_beginning(writer);
  return json;
}

void add_setup(FitRecord found, Json& json) {
  JsonWriter writer(json);
  found.fields_of_setup(writer);
}

void add_draws(FitRecord drawn, Json& json) {
  JsonWriter writer(json);
  drawn.fields_of_draws(writer);
}

}  // namespace ulisse
