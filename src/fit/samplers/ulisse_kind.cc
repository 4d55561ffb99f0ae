// The sampler ulisse: its options, and what a fit asks of it.

#include <fmt/format.h>

#include "base/limits.h"
#include "base/option_names.h"
#include "fit/default_rank.h"
#include "fit/sampler_kind.h"
#include "fit/samplers/ulisse_options.h"
#include "ulisse/error.h"
#include "ulisse/setup_problem.h"
#include "ulisse/steps.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

void check_truncation(const std::string& rule) { parse_truncation(rule); }

// The error of the anchor's probes stays for a whole run. Where more probes take seconds there are
// more.
long default_anchor_probes(Index n) { return n < SetupProblem::kFloatRows ? 128 : 32; }

void set_defaults(FitSettings& s, Index n) {
  // Exact steps have a metric to learn.
  s.warmup = n <= SetupProblem::kExactModeRows ? 300 : 100;
  s.draws = 500;
  s.own = values_of(ulisse_settings(),
                    {.rank = default_rank(n), .anchor_probes = default_anchor_probes(n)});
}

void check_together(const FitSettings& settings) {
  const UlisseSettings s = settings_from(ulisse_settings(), settings.own);
  if (s.probe_count > s.anchor_probes) {
    throw InputError(fmt::format("{}: a gradient takes at most the {} of {}",
                                 option_named("probe_count"), s.anchor_probes,
                                 option_named("anchor_probes")));
  }
}

SamplerBlocks blocks(const FitSettings& settings) {
  const UlisseSettings s = settings_from(ulisse_settings(), settings.own);
  return {.option = "anchor_probes", .columns = s.anchor_probes, .rank = s.rank};
}

double iterations(Index n) { return n <= SetupProblem::kExactModeRows ? 800 : 600; }

// A search for the mode, a survey, and the gradients that a surrogate is learnt from.
double exact_gradients_of_setup(Index parameters) {
  return 250 + 40 * static_cast<double>(parameters);
}

// With few parameters a surrogate is certified. With many it proposes, and each draw takes a
// likelihood; or, with more rows, four chains take some thirty products in each iteration, with
// fresh probes.
double expected_seconds(const SamplerCosts& costs, Index n, Index parameters) {
  constexpr double kProductsOfSetup = 3000, kProposals = 2500;
  const bool few = parameters <= kFewParameters;
  if (n <= SetupProblem::kExactModeRows) {
    return exact_gradients_of_setup(parameters) * costs.gradient +
           (few ? 0 : kProposals * costs.likelihood);
  }
  const double setup = kProductsOfSetup * costs.product * (few ? 1 : 5);
  if (few) return setup;
  const double draws = n <= kMaxCorrectedRows ? kProposals * costs.likelihood
                                              : 4 * iterations(n) * 30 * costs.product;
  return setup + draws;
}

double seconds_of_exact_steps(const SamplerCosts& costs, Index n, Index /*parameters*/) {
  return n > SetupProblem::kExactModeRows ? NAN : 4 * iterations(n) * 7 * costs.gradient;
}

// How a gradient is estimated.
SettingTable<UlisseSettings> gradient_settings() {
  return {
      {{.key = "rank",
        .help = "Rank of the preconditioner; for ulisse the most that is tried, for sgld 0 means "
                "none",
        .range = {1, limits::iterations},
        .automatic = "a fifth of the rows, at most 1000, at most an eighth of the memory"},
       &UlisseSettings::rank},
      {{.key = "neighbours",
        .help =
            "Nearest rows that the preconditioner looks at beside its columns, where that pays; "
            "0: none",
        .range = {0, limits::neighbours}},
       &UlisseSettings::neighbours},
      {{.key = "anchor_probes",
        .help = "Probes whose solutions at the mode are kept",
        .range = {2, limits::probes},
        .automatic = "128 below 4,000 rows, else 32",
        .former_flags = {"bank"},
        .former_keys = {"bank"}},
       &UlisseSettings::anchor_probes},
      {{.key = "probe_count",
        .help = "Probes in a gradient",
        .range = {2, limits::probes},
        .former_keys = {"probes"}},
       &UlisseSettings::probe_count},
      {{.key = "early_stop",
        .help = "Solves stop early, and are then cut at random, from |residual| < this times |y| "
                "on; sgld has sqrt(n) for |y|",
        .range = {.least = 0, .above_least = true, .automatic_zero = true},
        .automatic = "by the noise that it makes",
        .former_flags = {"q"},
        .former_keys = {"q"}},
       &UlisseSettings::early_stop},
      {{.key = "truncation",
        .help = "How solves are cut at random: exp(b) or matched; for sgld also none",
        .check_text = check_truncation},
       &UlisseSettings::truncation}};
}

// The step, and the gradient at the mode.
SettingTable<UlisseSettings> step_settings() {
  return {
      {{.key = "step",
        .help =
            "Step size of Langevin's steps, which are then made also where steps would be exact",
        .range = {.least = 0,
                  .most = limits::langevin_step,
                  .above_least = true,
                  .below_most = true,
                  .automatic_zero = true},
        .automatic = "by how Gaussian the posterior is"},
       &UlisseSettings::step},
      {{.key = "mode_gradient",
        .help = "Gradient at the mode: exact, by Cholesky, or averaged over probes",
        .choices = {"auto", "exact", "probes"},
        .former_flags = {"trace"},
        .former_keys = {"trace"}},
       &UlisseSettings::mode_gradient},
      {{.key = "mode_gradient_error",
        .help = "Error of that by probes that is small enough, in posterior standard deviations",
        .range = {.least = 0, .above_least = true},
        .former_flags = {"trace-error"},
        .former_keys = {"trace_error"}},
       &UlisseSettings::mode_gradient_error},
      {{.key = "mode_gradient_probes",
        .help = "Probes for it, at most, where those of the anchor are fewer",
        .range = {0, limits::probes},
        .former_flags = {"trace-probes"},
        .former_keys = {"trace_probes"}},
       &UlisseSettings::mode_gradient_probes}};
}

// Draws from a surrogate.
SettingTable<UlisseSettings> surrogate_settings() {
  return {
      {{.key = "no_surrogate",
        .help = "Steps are Langevin's or exact ones; else draws come from a surrogate of the "
                "posterior, learnt from gradients, where that can be certified to be near it"},
       &UlisseSettings::no_surrogate},
      {{.key = "certificate",
        .help = "How far draws of the surrogate may be from the posterior, in posterior standard "
                "deviations",
        .range = {.least = 0, .above_least = true}},
       &UlisseSettings::certificate}};
}

// Numbers of rows that decide.
SettingTable<UlisseSettings> row_settings() {
  return {{{.key = "subset",
            .help = "Rows for the first mode, and for sgld's metric",
            .range = {1, limits::iterations}},
           &UlisseSettings::subset},
          {{.key = "exact_rows",
            .help = "Up to so many rows steps are exact: they take no time",
            .range = {0, limits::iterations}},
           &UlisseSettings::exact_rows},
          {{.key = "careful_rows",
            .help = "Up to so many rows steps are exact sooner where the posterior is not Gaussian",
            .range = {0, limits::iterations}},
           &UlisseSettings::careful_rows}};
}

}  // namespace

const SettingTable<UlisseSettings>& ulisse_settings() {
  static const SettingTable<UlisseSettings> table = joined<UlisseSettings>(
      {gradient_settings(), step_settings(), surrogate_settings(), row_settings()});
  return table;
}

SamplerKind ulisse_kind() {
  return {.name = "ulisse",
          .about =
              "Langevin dynamics on gradients by linear solves, with its bias measured; exact "
              "steps where rows are few",
          .exact = false,
          .options = options_of(ulisse_settings()),
          .set_defaults = set_defaults,
          .check = check_together,
          .blocks = blocks,
          .expected_seconds = expected_seconds,
          .seconds_of_exact_steps = seconds_of_exact_steps,
          .make = make_ulisse_chains};
}

}  // namespace ulisse
