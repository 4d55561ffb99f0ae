#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fit/bias_budget.h"
#include "fit/folder.h"
#include "fit/length_scales.h"
#include "fit/sampler_record.h"
#include "fit/what_was_fitted.h"
#include "ulisse/diagnose.h"

namespace ulisse {

// What a fit's folder says about the posterior, and how far to believe it.
struct FitSummary {
  WhatWasFitted fitted;
  std::string sampler, status;  // the latter as status_of says
  bool in_setup = false;        // it has not come to its warm-up
  bool mode_converged = true;   // or it ended as near to the mode as rounding lets it
  double mode_distance = NAN;   // posterior standard deviations, where the search ended
  double other_modes = 0;       // share of the posterior at other modes, as far as the search saw
  double second_mode = 0;       // of the largest of these
  double other_draws = 0;       // share of the draws that are nearer to the largest of these
  Vector other_place;           // theta at the largest of these; empty where none is known
  long chains = 0, draws = 0, warmup = 0;                  // draws of each chain
  long announced_draws = 0;                                // that fit.json speaks of
  std::vector<long> lengths;                               // of each chain's file
  std::vector<diagnose::ParameterSummary> parameters;      // on the natural scale
  std::vector<diagnose::ParameterSummary> log_parameters;  // of psi = log(theta)
  std::vector<std::string> inputs;  // that parameters belong to; empty texts for those of none
  std::vector<LengthScale> length_scales;
  double seconds_setup = 0, seconds_warmup = 0, seconds_sampling = 0,
         seconds_per_independent_sample = 0;
  std::vector<std::string> notes;  // on the data
  std::vector<std::string> warnings;
  std::vector<ChainRecord> chain_details;
  std::optional<SetupRecord> setup;  // of the sampler ulisse
  std::optional<BiasBudget> bias;    // of the sampler ulisse
};

// What a fit is doing: fit.json's "status" where it has ended; "running" only as long as a process
// has the folder's lock, and "killed" where fit.json says "running" and none has.
std::string status_of(const FitFolder& folder, const std::string& written);

FitSummary summarise_fit(const FitFolder& folder);

nlohmann::ordered_json to_json(const FitSummary& summary);
std::string to_text(const FitSummary& summary);

// Why the sampler `ulisse` made exact steps; empty where it did not.
std::string about_exact_steps(const FitSummary& summary);

// ", at sigma = 1.2, tau = 0.3, lambda = 0.1"; empty where it is not known.
std::string place_of_the_other_mode(const FitSummary& summary);

// Whether there is another mode that the sampler does not reach, or has hardly been at.
bool misses_a_mode(const FitSummary& summary);

// What that means and what to do about it; empty where there is none.
std::string about_a_missed_mode(const FitSummary& summary);

// What is wrong with a fit and what to do about it, one sentence each.
std::vector<std::string> warnings_of(const FitSummary& summary, long divergent);

}  // namespace ulisse
