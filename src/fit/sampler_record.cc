#include "fit/sampler_record.h"

namespace ulisse {

namespace {

// Three lists of the same length, side by side in a plot.
void check_history(const JsonReader& history) {
  const auto count = static_cast<Index>(history.at("iterations").numbers().size());
  for (const char* key : {"steps", "noise_ratios"}) {
    const std::vector<JsonReader> values = history.at(key).items();
    if (static_cast<Index>(values.size()) != count) {
      history.at(key).refuse("a list as long as that of iterations");
    }
    for (const JsonReader& value : values) value.number_or(NAN);
  }
}

// -1 parameters: as many as it has rows.
Matrix rows_of(const JsonReader& rows, Index parameters) {
  const auto size = static_cast<Index>(rows.items().size());
  if (parameters < 0 && size == 0) rows.refuse("a list of rows");
  return rows.square_or(parameters < 0 ? size : parameters, NAN);
}

}  // namespace

SetupRecord setup_record(const JsonReader& setup, Index parameters) {
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
  for (const char* key : {"exponents", "origin"}) {
    if (setup.has(key) && parameters >= 0) setup.at(key).numbers(parameters);
  }
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

ChainRecord chain_record(const JsonReader& chain, Index parameters) {
  ChainRecord r;
  chain.read_or("step_size", r.step_size, NAN);
  if (chain.has("frozen_at")) r.frozen_by_noise = chain.at("frozen_by_noise").truth();
  chain.read_or("untrustworthy_per_iteration", r.untrustworthy, NAN);
  chain.read_or("products_per_iteration", r.products, NAN);
  chain.read("unfinished_solves", r.unfinished_solves);
  chain.read("cut_drifts", r.cut_drifts);
  chain.read("step_reduced", r.step_reduced);
  chain.read("metric_refreshed", r.metric_refreshed);
  if (chain.has("trace_error")) r.trace_error = chain.at("trace_error").number_or(NAN);
  if (chain.has("stein")) r.stein = rows_of(chain.at("stein"), parameters);
  if (chain.has("metric")) r.metric = rows_of(chain.at("metric"), parameters);
  if (chain.has("injected")) r.injected = rows_of(chain.at("injected"), parameters);
  r.json = chain.json();
  if (!chain.has("history")) return r;
  check_history(chain.at("history"));
  r.history = chain.at("history").json();
  r.json.erase("history");
  return r;
}

}  // namespace ulisse
