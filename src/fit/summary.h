#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fit/belonging.h"
#include "fit/bias_budget.h"
#include "fit/folder.h"
#include "fit/goal_record.h"
#include "fit/length_scales.h"
#include "fit/power_scaling.h"
#include "fit/sampler_record.h"
#include "fit/what_was_fitted.h"
#include "ulisse/diagnose.h"
#include "ulisse/findings.h"

namespace ulisse {

// All that a fit says about the posterior.
struct FitSummary : Summary {
  WhatWasFitted fitted;
  bool in_setup = false;       // it has not come to its warm-up
  bool mode_converged = true;  // or it ended as near to the mode as rounding lets it
  double mode_distance = NAN;  // posterior standard deviations, where the search ended
  double other_modes = 0;      // share of the posterior at other modes, as far as the search saw
  double second_mode = 0;      // of the largest of these
  double other_draws = 0;      // share of the draws that are nearer to the largest of these
  Vector other_place;          // theta at the largest of these; empty where none is known
  long announced_draws = 0;    // that fit.json speaks of
  std::vector<long> lengths;   // of each chain's file
  std::vector<PriorEffect> prior_effects;
  std::vector<Belonging> belonging;           // of parameters; none where an old fit does not say
  std::vector<Belonging> quantity_belonging;  // of quantities
  std::vector<std::string> notes;             // on the data
  std::vector<ChainRecord> chain_details;
  std::optional<GoalRecord> goal;    // what chains went on for
  std::optional<SetupRecord> setup;  // of the sampler ulisse
  std::optional<BiasBudget> bias;    // of the sampler ulisse
};

FitSummary full_summary(const Fit& fit);

// Without sentences, which are in report/summary_words.h.
nlohmann::ordered_json to_json(const FitSummary& summary);
}  // namespace ulisse
