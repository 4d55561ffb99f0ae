#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/json_reader.h"

namespace ulisse {

// What the sampler `ulisse` found out before it sampled, as fit.json's "setup" tells of it. What is
// not there is as if nothing were wrong; an error that was not finite is infinite.
struct SetupRecord {
  bool exact = false, swaps = false, metric_repaired = false;
  std::string why_exact;
  double bend = 0;      // how far from Gaussian the posterior is
  double off_mode = 0;  // posterior standard deviations
  bool measured_off_mode = false;
  long searched_rows = 0;        // in which other modes were looked for; 0: in all
  double other_share_there = 0;  // of their posterior, what other modes hold
  // With Langevin's steps:
  double step = NAN;  // its size
  bool fresh_probes = false, exact_trace = false;
  long unfinished_solves = 0;
  double trace_error = NAN, bank_error = NAN, solver_error = NAN, product_error = 0;
  double noise_share = 0, noise_share_far_out = 0;
  nlohmann::ordered_json json;  // all of it, for who reads on
};

// What a chain did, as an element of fit.json's "chains" tells of it.
struct ChainRecord {
  double step_size = NAN;
  std::optional<bool> frozen_by_noise;  // of sgld
  double untrustworthy = 0;             // solves an iteration
  double products = NAN;                // an iteration
  long unfinished_solves = 0, cut_drifts = 0;
  bool step_reduced = false, metric_refreshed = false;
  std::optional<double> trace_error;  // of an average that it went on to improve
  Matrix stein;                       // empty where there is none
  nlohmann::ordered_json history;     // null where there is none; for plots alone
  nlohmann::ordered_json json;        // all but the history
};

// Throw InputError that names file and key. `parameters` is their number; -1 where it is not known.
SetupRecord setup_record(const JsonReader& setup, Index parameters);
ChainRecord chain_record(const JsonReader& chain, Index parameters);

}  // namespace ulisse
