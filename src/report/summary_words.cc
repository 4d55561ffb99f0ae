#include "report/summary_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "fit/finding_limits.h"
#include "fit/sampler_kind.h"
#include "report/bias_words.h"
#include "report/finding_words.h"
#include "report/fitted_words.h"
#include "report/summary_tables.h"
#include "sample/langevin.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

std::string timing_of(const FitSummary& s) {
  std::string text = fmt::format("\nset-up {:.1f} s, warm-up {:.1f} s, sampling {:.1f} s",
                                 s.seconds_setup, s.seconds_warmup, s.seconds_sampling);
  if (std::isfinite(s.seconds_per_independent_sample)) {
    text += fmt::format(", {:.3g} s for an independent sample", s.seconds_per_independent_sample);
  }
  return text + "\n";
}

// Whoever set no number of draws wants to know what ended them.
std::string about_the_goal(const FitSummary& s) {
  if (s.draws == 0 || !s.goal || !s.goal->reached) return "";
  return fmt::format(
      "chains ended at {} draws: {} effective samples of each parameter, and an R-hat below {}, "
      "were reached\n",
      s.draws, s.goal->ess, finding_limits::kRhat);
}

// ", preset paper, seed 1"
std::string about_the_run(const WhatWasFitted& fitted) {
  if (fitted.inputs.empty()) return "";
  return fmt::format(", preset {}, seed {}", fitted.preset, fitted.seed);
}

// ", at sigma = 1.2, tau = 0.3, lambda = 0.1"; empty where it is not known.
std::string place_of_the_other_mode(const FitSummary& s) {
  const auto count = static_cast<std::size_t>(s.other_place.size());
  if (count == 0 || count != s.parameters.size()) return "";
  std::vector<std::string> texts;
  for (std::size_t j = 0; j < count; ++j) {
    texts.push_back(
        fmt::format("{} = {:.3g}", s.parameters[j].name, s.other_place(static_cast<Index>(j))));
  }
  return fmt::format(", at {}", fmt::join(texts, ", "));
}

// A mean of two modes is of neither; where draws miss a mode a finding says more.
std::string about_another_mode(const FitSummary& s) {
  if (s.draws == 0 || s.other_modes < kMinModeShare ||
      has(s.findings, Finding::Code::mode_missed)) {
    return "";
  }
  return fmt::format(
      "\nThe posterior has another mode{}, with about {:.0f} % of its mass; {:.0f} % of the "
      "draws are nearer to that one.\n",
      place_of_the_other_mode(s), 100 * s.other_modes, 100 * s.other_draws);
}

// Chains of exact samplers start and are scaled there, and are exact wherever that is.
std::string about_the_search(const FitSummary& s) {
  const SamplerKind* kind = find_sampler_kind(s.sampler);
  const bool exact = kind != nullptr && kind->exact;
  if (s.draws == 0 || s.mode_converged || !exact) return "";
  return fmt::format(
      "\nThe search for the mode ended short of it{}: chains started there, and their steps were "
      "first scaled to that place; the draws do not depend on it.\n",
      std::isfinite(s.mode_distance)
          ? fmt::format(", by about {:.2g} posterior standard deviations", s.mode_distance)
          : "");
}

std::string about_a_search_in_few_rows(const FitSummary& s) {
  const long rows = s.draws > 0 && s.setup ? s.setup->searched_rows : 0;
  return rows > 0 ? fmt::format("  other modes were searched for in {} of the rows alone\n", rows)
                  : "";
}

// The guard against what a posterior that is not Gaussian makes of steps that are long.
std::string about_short_steps(const FitSummary& s) {
  if (s.draws == 0 || !s.setup) return "";
  const double bend = s.setup->bend, step = s.setup->step;
  if (!(step < kMaxLangevinStep) || step != step_for(bend)) return "";  // or it was asked for
  return fmt::format(
      "  the step size is {:.2g} instead of {:.2g}, since the posterior is not quite Gaussian "
      "(bend "
      "{:.2f})\n",
      step, kMaxLangevinStep, bend);
}

}  // namespace

std::string about_exact_steps(const FitSummary& s, OptionNames names) {
  if (s.draws == 0 || !s.setup || !s.setup->exact) return "";
  std::vector<std::string> unused;
  for (const char* key : {"early_stop", "probe_count", "anchor_probes", "rank", "mode_gradient"}) {
    unused.push_back(option_named(key, names));
  }
  if (s.setup->proposal_acceptance > 0) {
    return fmt::format(
        "Steps were exact, since {}: a surrogate learnt from {} gradients proposed, and the exact "
        "density decided. They have no bias in the long run.",
        to_text(s.setup->why_exact), s.setup->lessons);
  }
  return fmt::format(
      "Steps were exact, those of nuts, since {}: they have no bias, and settings of gradients "
      "({}) were not used.",
      to_text(s.setup->why_exact), fmt::join(unused, ", "));
}

std::string about_the_surrogate(const FitSummary& s) {
  if (s.draws == 0 || !s.setup) return "";
  const SetupRecord& setup = *s.setup;
  if (!setup.certificate) {
    if (setup.lessons == 0 || setup.exact) return "";
    return fmt::format("A surrogate of the posterior was not certified, with {} gradients: {}. {}.",
                       setup.lessons, to_text(setup.why_no_surrogate),
                       setup.start_learnt
                           ? "Chains started where its draws are, and went on without it"
                           : "Steps were made without it");
  }
  const Certificate& c = *setup.certificate;
  return fmt::format(
      "Draws come from a surrogate of the posterior, learnt from {} gradients. Certificate: their "
      "distance (Wasserstein-2) from the posterior of log parameters is at most {:.2g} posterior "
      "standard deviations, by gradients at {} draws that it was not learnt from, at a nominal "
      "level of {:.4g} %. It assumes that the posterior is log-concave where draws are, with at "
      "least the least curvature seen, {:.2g} of that of a Gaussian; and it does not see what all "
      "gradients have in common{}.",
      setup.lessons, c.limit, c.gradients, 100 * c.level, c.curvature,
      setup.anchored ? ": the other lines of the bias" : "");
}

std::string to_text(const FitSummary& s, OptionNames names) {
  std::string text = to_text(s.fitted) +
                     fmt::format("{} chain{} of {} draws after {} of warm-up, sampler {}{}, {}\n\n",
                                 s.chains, s.chains == 1 ? "" : "s", s.draws, s.warmup, s.sampler,
                                 about_the_run(s.fitted), s.status);
  if (s.draws > 0) text += summary_tables(s, names) + timing_of(s) + about_the_goal(s);
  if (s.bias) {
    text += fmt::format("\n{}{}{}", to_text(*s.bias), about_short_steps(s),
                        about_a_search_in_few_rows(s));
  }
  for (const std::string& about : {about_the_surrogate(s), about_exact_steps(s, names)}) {
    if (!about.empty()) text += fmt::format("\n{}\n", about);
  }
  text += about_the_search(s) + about_another_mode(s);
  for (const auto& note : s.notes) text += fmt::format("\nnote: {}\n", printable(note));
  for (const auto& warning : sentences(s.findings, names)) {
    text += fmt::format("\nwarning: {}\n", warning);
  }
  if (s.findings.empty()) text += "No sign of trouble: chains agree, and there are enough draws.\n";
  return text;
}

nlohmann::ordered_json summary_json(const FitSummary& s, OptionNames names) {
  nlohmann::ordered_json json = to_json(s);
  json["warnings"] = sentences(s.findings, names);
  return json;
}

}  // namespace ulisse
