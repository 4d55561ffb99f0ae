#pragma once

#include <algorithm>
#include <vector>

#include "fit/judge_fit.h"

// Summaries of fits, for what is said of them.
namespace ulisse::testing {

inline FitSummary good_summary() {
  const diagnose::ParameterSummary p{.name = "tau",
                                     .mean = 1,
                                     .sd = 1,
                                     .mcse = 0.01,
                                     .q5 = 0.1,
                                     .q50 = 1,
                                     .q95 = 2,
                                     .ess_bulk = 500,
                                     .ess_tail = 450,
                                     .rhat = 1.002};
  FitSummary s;
  s.sampler = "mh";
  s.status = "complete";
  s.chains = 4;
  s.draws = 1000;
  s.warmup = 500;
  s.parameters = {p, p};
  s.parameters[1].name = "lambda";
  return s;
}

// A good one with a change.
template <class Change>
FitSummary summary_with(const Change& change) {
  FitSummary s = good_summary();
  change(s);
  return s;
}

// Of the sampler `ulisse` with Langevin's steps.
inline FitSummary langevin_summary(const SetupRecord& setup, const BiasBudget& bias = {}) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = setup;
  s.bias = bias;
  s.chain_details = {{.step_size = 1}};
  return s;
}

// A prior that moves draws, and the likelihood, too.
inline PriorEffect prior_effect(double likelihood) {
  return {.prior_of = "lambda",
          .moves = "noise_sd",
          .sensitivity = 0.2,
          .likelihood = likelihood,
          .effective_draws = 300,
          .now = {0.1, 0.3},
          .weak = {0.08, 0.35},
          .strong = {0.12, 0.28}};
}

// What is wrong with many fits: each code at least once.
inline Findings every_finding() {
  using S = FitSummary;
  const std::vector<FitSummary> fits = {
      summary_with([](S& s) { s.draws = 0, s.status = "interrupted"; }),
      summary_with([](S& s) { s.draws = 0, s.status = "killed", s.in_setup = true; }),
      summary_with([](S& s) { s.status = "running"; }),
      summary_with([](S& s) {
        s.prior_effects = {prior_effect(0.02), prior_effect(0.2)};
      }),
      summary_with([](S& s) { s.status = "killed", s.chains = 1; }),
      summary_with([](S& s) {
        s.lengths = {900, 1000, 1000, 1000};
      }),
      summary_with([](S& s) {
        s.announced_draws = 900, s.lengths = {900, 1000, 900, 900};
      }),
      summary_with([](S& s) { s.parameters[0].rhat = NAN; }),
      summary_with([](S& s) { s.parameters[0].rhat = 1.2; }),
      summary_with([](S& s) { s.parameters[0].rhat = 1.02; }),
      summary_with([](S& s) { s.parameters[0].ess_tail = 100; }),
      summary_with([](S& s) { s.parameters[0].ess_bulk = 300; }),
      summary_with([](S& s) { s.goal = {.ess = 1000, .effective = 700, .rhat = 1.004}; }),
      summary_with([](S& s) { s.goal = GoalRecord{.ess = 1000}; }),
      summary_with([](S& s) { s.mode_converged = false, s.sampler = "sgld"; }),
      summary_with([](S& s) { s.other_modes = 0.4; }),
      summary_with([](S& s) { s.other_modes = 0.4, s.sampler = "sgld"; }),
      summary_with([](S& s) {
        s.chain_details = {{.frozen_by_noise = false, .unfinished_solves = 2, .cut_drifts = 3}};
      }),
      langevin_summary({.metric_repaired = true, .bend = INFINITY}),
      langevin_summary({.bend = 0.4,
                        .mode_distance = 2.5,
                        .searched_rows = 2000,
                        .other_modes_share = 0.3,
                        .step = 1.2,
                        .unfinished_solves = 3}),
      langevin_summary({.noise_share_far_out = 0.3}),
      langevin_summary({.noise_share_far_out = INFINITY}),
      langevin_summary({}, {.discretisation = 0.2, .discretisation_error = 0.01, .step = 1.3}),
      langevin_summary({}, {.discretisation = 2, .discretisation_error = 2}),
      langevin_summary({}, {.anchor = 0.2, .bank = 0.3, .solver = 0.4, .products = 0.5}),
      langevin_summary({}, {.anchor = NAN, .bank = NAN, .solver = NAN, .products = NAN}),
      langevin_summary({}, {.anchor = 0.03, .anchor_goal = 0.02}),
      langevin_summary({}, {.surrogate = 0.2}),
  };
  Findings all = findings_of(good_summary(), 3);
  for (const FitSummary& fit : fits) {
    for (Finding& each : findings_of(fit, 0)) all.push_back(std::move(each));
  }
  FitSummary s = langevin_summary({});
  s.chain_details = {
      {.untrustworthy = 5, .cut_drifts = 100, .step_reduced = true, .metric_refreshed = true}};
  for (Finding& each : findings_of(s, 0)) all.push_back(std::move(each));
  return all;
}

}  // namespace ulisse::testing
