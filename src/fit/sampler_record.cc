#include "fit/sampler_record.h"

namespace ulisse {

namespace {

void check_history(const JsonReader& json, const HistoryRecord& history) {
  const std::size_t count = history.iterations.size();
  if (history.steps.size() == count && history.noise_ratios.size() == count) return;
  const char* key = history.steps.size() == count ? "noise_ratios" : "steps";
  json.at(key).refuse("a list as long as that of iterations");
}

}  // namespace

SetupRecord setup_record(const JsonReader& setup) {
  SetupRecord r;
  JsonFieldsReader reader(setup);
  r.fields(reader);
  r.fields_of_subset(reader);
  r.fields_of_learning(reader);
  r.fields_of_gradients(reader);
  r.fields_of_noise(reader);
  r.anchored = setup.has("rank");
  if (setup.has("certificate")) {
    JsonFieldsReader of_certificate(setup.at("certificate"));
    r.certificate.emplace();
    r.certificate->fields(of_certificate);
  }
  r.measured_mode_distance = setup.has("off_mode");
  r.json = setup.json();
  return r;
}

nlohmann::ordered_json to_json(const SetupRecord& setup) {
  SetupRecord r = setup;  // fields() serves readers, too
  nlohmann::ordered_json json;
  JsonWriter writer(json);
  r.fields(writer);
  if (r.searched_rows > 0) r.fields_of_subset(writer);
  r.fields_of_learning(writer);
  if (r.anchored) r.fields_of_gradients(writer);
  if (r.anchored && !r.certificate) r.fields_of_noise(writer);
  if (r.certificate) {
    JsonWriter of_certificate(json["certificate"]);
    r.certificate->fields(of_certificate);
  }
  return json;
}

ChainRecord chain_record(const JsonReader& chain) {
  ChainRecord r;
  JsonFieldsReader reader(chain);
  r.fields(reader);
  if (r.frozen_at) chain.at("frozen_by_noise");  // which says why
  if (chain.has("stein") && r.stein.size() == 0) chain.at("stein").refuse("a list of rows");
  if (r.history) check_history(chain.at("history"), *r.history);
  r.json = chain.json();
  r.json.erase("history");
  return r;
}

void check_shapes_of_setup(const JsonReader& setup, Index parameters) {
  for (const char* key : {"exponents", "origin"}) {
    if (setup.has(key)) setup.at(key).numbers(parameters);
  }
}

void check_shapes_of_chain(const JsonReader& chain, Index parameters) {
  for (const char* key : {"stein", "metric", "injected"}) {
    if (chain.has(key)) chain.at(key).square_or(parameters, NAN);
  }
}

nlohmann::ordered_json to_json(const ChainRecord& chain) {
  nlohmann::ordered_json json = written(chain);
  if (chain.json.is_object()) json.update(chain.json);
  return json;
}

nlohmann::ordered_json to_json(const HistoryRecord& history) { return written(history); }

}  // namespace ulisse
