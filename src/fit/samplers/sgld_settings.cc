#include "fit/samplers/sgld_settings.h"

#include "base/limits.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

void check_truncation(const std::string& rule) {
  if (rule != "none") parse_truncation(rule);
}

constexpr OptionRange kPositive = {.least = 0, .above_least = true};

// How a gradient is estimated.
SettingTable<SgldSettings> gradient_settings() {
  return {
      {{.key = "probe_count",
        .help = "Probes in a gradient",
        .range = {1, limits::probes},
        .former_keys = {"probes"}},
       &SgldSettings::probe_count},
      {{.key = "probe_kind",
        .help = "Probes are +-1 (rademacher), or drawn from the preconditioner (preconditioned)",
        .choices = {"rademacher", "preconditioned"},
        .former_flags = {"probes"}},
       &SgldSettings::probe_kind},
      {{.key = "rank",
        .help = "Rank of the preconditioner; for ulisse the most that is tried, for sgld 0 means "
                "none",
        .range = {0, limits::iterations},
        .automatic = "a fifth of the rows, at most 1000, at most an eighth of the memory"},
       &SgldSettings::rank},
      {{.key = "early_stop",
        .help = "Solves stop early, and are then cut at random, from |residual| < this times |y| "
                "on; sgld has sqrt(n) for |y|",
        .range = kPositive,
        .former_flags = {"q"},
        .former_keys = {"q"}},
       &SgldSettings::early_stop},
      {{.key = "truncation",
        .help = "How solves are cut at random: exp(b) or matched; for sgld also none",
        .check_text = check_truncation},
       &SgldSettings::truncation}};
}

// How long steps are.
SettingTable<SgldSettings> step_settings() {
  return {
      {{.key = "step_rule",
        .help = "The step falls by the paper's schedule, or is what the gradients' noise allows",
        .choices = {"schedule", "noise"}},
       &SgldSettings::step_rule},
      {{.key = "first_step",
        .help = "First step size; the largest, for the rule noise",
        .range = {.least = 0, .most = limits::sgld_step, .above_least = true}},
       &SgldSettings::first_step},
      {{.key = "last_step", .help = "Step size at the end of the schedule", .range = kPositive},
       &SgldSettings::last_step},
      {{.key = "schedule", .help = "Iterations of the schedule", .range = {1, limits::iterations}},
       &SgldSettings::schedule},
      {{.key = "noise_ratio",
        .help = "The step is frozen when the variance of the gradients' noise over that of the "
                "noise injected is below",
        .range = kPositive},
       &SgldSettings::noise_ratio},
      {{.key = "noise_from",
        .help = "The gradients' noise comes from their spread in a batch, as in the paper, or from "
                "that of their probes",
        .choices = {"batch", "probes"}},
       &SgldSettings::noise_from},
      {{.key = "batch",
        .help = "Iterations between looks at the gradients' noise",
        .range = {2, limits::batch}},
       &SgldSettings::batch}};
}

// What chains keep, where they begin, and when they end.
SettingTable<SgldSettings> chain_settings() {
  return {
      {{.key = "redraw_every",
        .help = "Iterations for which probes are kept",
        .range = {1, limits::iterations}},
       &SgldSettings::redraw_every},
      {{.key = "subset",
        .help = "Rows for the first mode, and for sgld's metric",
        .range = {1, limits::iterations}},
       &SgldSettings::subset},
      {{.key = "scale_metric", .help = "The metric of the subset is scaled to all rows"},
       &SgldSettings::scale_metric},
      {{.key = "iterations",
        .help = "Iterations in all, warm-up included, instead of a number of draws",
        .range = {0, limits::iterations},
        .automatic = "as the number of draws says"},
       &SgldSettings::iterations},
      {{.key = "warm_start",
        .help = "Solves start from CG's own iterate at the last iteration, or from the estimate",
        .choices = {"iterate", "estimate"}},
       &SgldSettings::warm_start},
      {{.key = "y_start",
        .help = "The system of y is solved when a chain begins, or starts from zero",
        .choices = {"solved", "zero"}},
       &SgldSettings::y_start},
      {{.key = "longest_drift",
        .help = "A step along the gradient is cut to so many standard deviations of the noise "
                "injected; 1e9 cuts none",
        .range = kPositive},
       &SgldSettings::longest_drift}};
}

}  // namespace

const SettingTable<SgldSettings>& sgld_settings() {
  static const SettingTable<SgldSettings> table =
      joined<SgldSettings>({gradient_settings(), step_settings(), chain_settings()});
  return table;
}

SgldSettings paper_sgld_settings(Index n) {
  const bool large = n >= 5000;
  return {.probe_count = 4,
          .probe_kind = "rademacher",
          .rank = 0,
          .early_stop = 1,
          .truncation = "exp(1)",
          .step_rule = "schedule",
          .first_step = large ? 5e-2 : 1e-1,
          .last_step = large ? 5e-6 : 1e-4,
          .schedule = 40000,
          .noise_ratio = 0.002,
          .noise_from = "batch",
          .batch = 100,
          .redraw_every = 20,
          .subset = large ? 1000 : 500,
          .scale_metric = false,
          .iterations = 40000};
}

}  // namespace ulisse
