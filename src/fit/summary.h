#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fit/bias_budget.h"
#include "fit/findings.h"
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
  Findings findings;               // what is wrong
  std::vector<ChainRecord> chain_details;
  std::optional<SetupRecord> setup;  // of the sampler ulisse
  std::optional<BiasBudget> bias;    // of the sampler ulisse
};

// What a fit is doing: fit.json's "status" where it has ended; "running" only as long as a process
// has the folder's lock, and "killed" where fit.json says "running" and none has.
std::string status_of(const FitFolder& folder, const std::string& written);

FitSummary summarise_fit(const FitFolder& folder);

// Without sentences, which are in report/summary_words.h.
nlohmann::ordered_json to_json(const FitSummary& summary);
}  // namespace ulisse
