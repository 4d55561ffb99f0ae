#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json_fields.h"
#include "fit/reason_json.h"
#include "ulisse/certificate.h"

namespace ulisse {

// What the sampler `ulisse` found out before it sampled, as in fit.json's "setup". What is
// not there is as if nothing were wrong; an error that was not finite is infinite.
struct SetupRecord {
  bool exact = false, swaps = false, metric_repaired = false;
  Reason why_exact;
  double bend = 0;                // how far from Gaussian the posterior is
  double bend_of_logarithms = 0;  // the same in psi
  Vector exponents, origin;       // of the coordinates
  double mode_distance = 0;       // of the centre, in posterior standard deviations
  bool measured_mode_distance = false;
  long mode_gradients = 0;       // that the search took
  long searched_rows = 0;        // in which other modes were looked for; 0: in all
  double other_modes_share = 0;  // of their posterior, what other modes hold
  // A surrogate: the gradients that were taken to learn one, why there is none, or how far draws of
  // it may be from the posterior.
  long lessons = 0;
  Reason why_no_surrogate;
  bool start_learnt = false;  // Langevin's steps start from it all the same
  std::optional<Certificate> certificate;
  double proposal_acceptance = 0;  // expected of exact steps that a surrogate proposes; 0: others
  // With gradients by an anchor:
  bool anchored = false;
  long rank = 0;        // of the preconditioner
  long neighbours = 0;  // of a row, that it looks at
  std::string backend;  // of products
  bool products_in_float = false, solves_in_float = false;
  double early_stop = NAN, step = NAN;  // q of ULISSE, and the step of the chain
  long probe_count = 0;                 // for each gradient
  bool fresh_probes = false, exact_trace = false, trace_controls = false;
  long unfinished_solves = 0, mode_gradient_probes = 0;
  double trace_error = NAN, bank_error = NAN, solver_error = NAN, product_error = 0;
  double float_error = 0;
  double noise_of_cutting = NAN, noise_of_probes = NAN, noise_without_anchor = NAN;
  double noise_share = 0, noise_share_far_out = 0;
  nlohmann::ordered_json json;  // all of it, for programs that read it

  // What there is of every set-up, of one that searched a subset, and of one for Langevin's steps.
  template <class V>
  void fields(V& v) {
    v("exact", exact);
    v("why_exact", why_exact, ReasonRule{});
    v("swaps", swaps);
    v("bend", bend, NullIs{INFINITY});
    v("bend_of_logarithms", bend_of_logarithms, NullIs{INFINITY});
    v("exponents", exponents);
    v("origin", origin);
    v("off_mode", mode_distance, NullIs{INFINITY});
    v("metric_repaired", metric_repaired);
    v("mode_gradients", mode_gradients);
  }
  template <class V>
  void fields_of_subset(V& v) {
    v("searched_rows", searched_rows);
    v("other_share_there", other_modes_share, Share{});
  }
  template <class V>
  void fields_of_learning(V& v) {
    v("surrogate_gradients", lessons);
    v("why_no_surrogate", why_no_surrogate, ReasonRule{});
    v("start_learnt", start_learnt, Unless{false});
    v("proposal_acceptance", proposal_acceptance, Share{});
  }
  template <class V>
  void fields_of_gradients(V& v) {
    v("rank", rank);
    v("neighbours", neighbours);
    v("backend", backend);
    v("products", products_in_float, Words{"float", "double"});
    v("solves_of_setup", solves_in_float, Words{"float", "double"});
    v("float_error", float_error, NullIs{NAN});
    v("fresh_probes", fresh_probes);
    v("unfinished_solves", unfinished_solves);
    v("trace", exact_trace, Words{"exact", "probes"});
    v("trace_probes", mode_gradient_probes);
    v("trace_controls", trace_controls);
    v("trace_error", trace_error, NullIs{NAN});
    v("bank_error", bank_error, NullIs{NAN});
    v("solver_error", solver_error, NullIs{NAN});
    v("product_error", product_error, NullIs{NAN});
  }
  template <class V>
  void fields_of_noise(V& v) {
    v("q", early_stop);
    v("step", step);
    v("probes", probe_count);
    v.within("noise", [&](auto& noise) {
      noise("cutting", noise_of_cutting, NullIs{NAN});
      noise("probes", noise_of_probes, NullIs{NAN});
      noise("probes_without_anchor", noise_without_anchor, NullIs{NAN});
      noise("share", noise_share, NullIs{INFINITY});
      noise("share_far_out", noise_share_far_out, NullIs{INFINITY});
    });
  }
};

// Steps and the gradients' noise along a chain, for plots alone: three lists of the same length.
struct HistoryRecord {
  std::vector<long> iterations;
  std::vector<double> steps, noise_ratios;

  template <class V>
  void fields(V& v) {
    v("iterations", iterations, Needed{});
    v("steps", steps, NullIs{NAN});
    v("noise_ratios", noise_ratios, NullIs{NAN});
  }
};

// Jumps between modes.
struct SwapRecord {
  long tried = 0, done = 0;

  template <class V>
  void fields(V& v) {
    v("tried", tried);
    v("done", done);
  }
};

// What a chain did, as in an element of fit.json's "chains". What a sampler does not have has no
// value.
struct ChainRecord {
  std::string file;
  double step_size = NAN;
  // Of exact steps:
  std::optional<double> acceptance, gradients;  // an iteration
  std::optional<SwapRecord> swaps;
  // Of sgld:
  std::optional<long> frozen_at;  // iteration
  std::optional<bool> frozen_by_noise;
  std::optional<double> noise_ratio;
  // Of gradients by solves:
  std::optional<double> products, terms;  // an iteration, and a solve
  std::optional<double> untrustworthy;    // solves an iteration
  std::optional<long> unfinished_solves;
  std::optional<HistoryRecord> history;
  std::optional<double> lambda_max, noise_share;
  std::optional<long> cut_drifts, trace_probes;
  std::optional<double> trace_error;  // of an average that it went on to improve
  std::optional<bool> step_reduced, metric_refreshed;
  Matrix stein;                 // empty where there is none
  Matrix metric, injected;      // M, and the covariance of the noise in a step; the same
  nlohmann::ordered_json json;  // all but the history; and what a sampler adds that has no member

  template <class V>
  void fields(V& v) {
    v("file", file);
    v("step_size", step_size, NullIs{NAN});
    v("acceptance", acceptance, NullIs{NAN});
    v("gradients_per_iteration", gradients, NullIs{NAN});
    v("swaps", swaps);
    v("frozen_at", frozen_at, From{-1});
    v("frozen_by_noise", frozen_by_noise);
    v("noise_ratio", noise_ratio, NullIs{NAN});
    v("products_per_iteration", products, NullIs{NAN});
    v("terms_per_solve", terms, NullIs{NAN});
    v("untrustworthy_per_iteration", untrustworthy, NullIs{NAN});
    v("unfinished_solves", unfinished_solves);
    v("history", history);
    v("lambda_max", lambda_max, NullIs{NAN});
    v("noise_share", noise_share, NullIs{NAN});
    v("cut_drifts", cut_drifts);
    v("trace_probes", trace_probes);
    v("trace_error", trace_error, NullIs{NAN});
    v("metric_refreshed", metric_refreshed);
    v("step_reduced", step_reduced);
    v("stein", stein, NullIs{NAN});
    v("metric", metric, NullIs{NAN});
    v("injected", injected, NullIs{NAN});
  }
};

// Throw InputError that names file and key.
SetupRecord setup_record(const JsonReader& setup);
ChainRecord chain_record(const JsonReader& chain);

// Likewise, where they are not those of so many parameters.
void check_shapes_of_setup(const JsonReader& setup, Index parameters);
void check_shapes_of_chain(const JsonReader& chain, Index parameters);

nlohmann::ordered_json to_json(const SetupRecord& setup);
nlohmann::ordered_json to_json(const ChainRecord& chain);
nlohmann::ordered_json to_json(const HistoryRecord& history);

}  // namespace ulisse
