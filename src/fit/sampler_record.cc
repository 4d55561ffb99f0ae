#include "fit/sampler_record.h"

namespace ulisse {

namespace {

void read_share(const JsonReader& from, const std::string& key, double& share) {
  from.read(key, share);
  if (share < 0 || share > 1) from.at(key).refuse("a number from 0 to 1");
}

void read_noise(const JsonReader& noise, SetupRecord& record) {
  noise.read_or("share", record.noise_share, INFINITY);
  noise.read_or("share_far_out", record.noise_share_far_out, INFINITY);
}

void read_trace(const JsonReader& trace, SetupRecord& record) {
  const std::string kind = trace.text();
  if (kind != "exact" && kind != "probes") trace.refuse("\"exact\" or \"probes\"");
  record.exact_trace = kind == "exact";
}

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
Matrix stein_of(const JsonReader& rows, Index parameters) {
  const auto size = static_cast<Index>(rows.items().size());
  if (parameters < 0 && size == 0) rows.refuse("a list of rows");
  return rows.square_or(parameters < 0 ? size : parameters, NAN);
}

}  // namespace

SetupRecord setup_record(const JsonReader& setup, Index parameters) {
  SetupRecord r;
  setup.read("exact", r.exact);
  setup.read("why_exact", r.why_exact);
  setup.read("swaps", r.swaps);
  setup.read("metric_repaired", r.metric_repaired);
  setup.read_or("bend", r.bend, INFINITY);
  r.measured_off_mode = setup.has("off_mode");
  setup.read_or("off_mode", r.off_mode, INFINITY);
  setup.read("searched_rows", r.searched_rows);
  read_share(setup, "other_share_there", r.other_share_there);
  setup.read("step", r.step);
  setup.read("fresh_probes", r.fresh_probes);
  setup.read("unfinished_solves", r.unfinished_solves);
  if (setup.has("trace")) read_trace(setup.at("trace"), r);
  setup.read_or("trace_error", r.trace_error, NAN);
  setup.read_or("bank_error", r.bank_error, NAN);
  setup.read_or("solver_error", r.solver_error, NAN);
  setup.read_or("product_error", r.product_error, NAN);
  if (setup.has("noise")) read_noise(setup.at("noise"), r);
  if (setup.has("exponents") && parameters >= 0) setup.at("exponents").numbers(parameters);
  r.json = setup.json();
  return r;
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
  if (chain.has("stein")) r.stein = stein_of(chain.at("stein"), parameters);
  r.json = chain.json();
  if (!chain.has("history")) return r;
  check_history(chain.at("history"));
  r.history = chain.at("history").json();
  r.json.erase("history");
  return r;
}

}  // namespace ulisse
