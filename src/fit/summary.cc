#include "fit/summary.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/json_text.h"
#include "base/printable.h"
#include "fit/fit_draws.h"
#include "fit/folder_lock.h"
#include "sample/langevin.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const diagnose::ParameterSummary& p) {
  return {{"mean", json_number(p.mean)},         {"sd", json_number(p.sd)},
          {"mcse", json_number(p.mcse)},         {"q5", json_number(p.q5)},
          {"q50", json_number(p.q50)},           {"q95", json_number(p.q95)},
          {"ess_bulk", json_number(p.ess_bulk)}, {"ess_tail", json_number(p.ess_tail)},
          {"rhat", json_number(p.rhat)}};
}

// Distances are in units of the covariance at the mode.
double share_nearer_to_the_other(const FitRecord& record, const FitDraws& draws) {
  const Vector& mode = record.mode->psi;
  const Vector& other = record.mode->other_psi;
  const Vector towards = record.metric.llt().solve(other - mode);
  const double half_way = towards.dot(0.5 * (mode + other));
  Matrix place = Matrix::Zero(draws.draws(), draws.chains());
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    place += towards(static_cast<Index>(j)) * draws.theta[j].array().log().matrix();
  }
  return static_cast<double>((place.array() > half_way).count()) /
         static_cast<double>(place.size());
}

// What fit.json says, before any draw is looked at.
FitSummary summary_of(const FitRecord& record) {
  FitSummary s;
  s.fitted = what_was_fitted(record);
  s.sampler = record.settings.sampler;
  s.in_setup = !record.mode;
  s.notes = record.notes;
  s.chains = record.settings.chains;
  s.warmup = record.warmup;
  s.setup = record.setup;
  s.chain_details = record.chains;
  for (const FitRecord::Parameter& p : record.parameters) s.inputs.push_back(p.input);
  if (record.mode) {
    s.mode_distance = record.mode->distance;
    s.mode_converged = record.mode->converged || s.mode_distance < kNearMode;
    s.other_modes = record.mode->other_share;
    s.second_mode = record.mode->second_share;
    s.other_place = record.mode->other_psi.array().exp();
  }
  s.seconds_setup = record.seconds_setup;
  s.seconds_warmup = record.seconds_warmup;
  s.seconds_sampling = record.seconds_sampling;
  s.announced_draws = record.draws;
  return s;
}

Json other_modes_of(const FitSummary& s) {
  Json place;
  for (Index j = 0; j < s.other_place.size() && s.other_place.size() == Index(s.parameters.size());
       ++j) {
    place[s.parameters[static_cast<std::size_t>(j)].name] = json_number(s.other_place(j));
  }
  return {{"share", s.other_modes}, {"share_of_draws", s.other_draws}, {"largest_at", place}};
}

}  // namespace

std::string status_of(const FitFolder& folder, const std::string& written) {
  if (writer_of(folder.path())) return "running";
  return written == "running" ? "killed" : written;
}

FitSummary summarise_fit(const FitFolder& folder) {
  const FitRecord record = folder.read_record();
  FitSummary s = summary_of(record);
  s.status = status_of(folder, record.status);
  const FitDraws draws = read_draws(folder, record);
  s.draws = draws.draws();
  s.lengths = draws.lengths;
  if (s.draws == 0) {  // it ended in warm-up, or with its last iteration
    s.seconds_per_independent_sample = NAN;
    s.warnings = warnings_of(s, 0);
    return s;
  }
  const bool comparable = record.metric.rows() == static_cast<Index>(draws.theta.size());
  if (s.other_modes > 0 && comparable) s.other_draws = share_nearer_to_the_other(record, draws);
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    const Matrix& theta = draws.theta[j];
    s.parameters.push_back(diagnose::summarise(draws.parameters[j], theta));
    s.log_parameters.push_back(
        diagnose::summarise(draws.parameters[j], theta.array().log().matrix()));
  }
  s.length_scales = length_scales(record, s.parameters);
  s.bias = bias_budget(s.setup, s.chain_details);
  if (s.bias) s.bias->anchor_goal = record.settings.ulisse.trace_error;
  s.seconds_per_independent_sample =
      diagnose::seconds_per_independent_sample(s.seconds_sampling, s.parameters);
  s.warnings = warnings_of(s, draws.divergent);
  return s;
}

Json to_json(const FitSummary& s) {
  Json parameters = Json::object(), log_parameters = Json::object();
  for (const auto& p : s.parameters) parameters[p.name] = to_json(p);
  for (std::size_t j = 0; j < s.parameters.size() && j < s.inputs.size(); ++j) {
    if (!s.inputs[j].empty()) parameters[s.parameters[j].name]["input"] = s.inputs[j];
  }
  for (const auto& p : s.log_parameters) log_parameters[p.name] = to_json(p);
  Json chains = Json::array();
  for (const ChainRecord& c : s.chain_details) chains.push_back(c.json);
  return {{"fitted", to_json(s.fitted)},
          {"parameters", parameters},
          {"log_parameters", log_parameters},
          {"length_scales", to_json(s.length_scales)},
          {"sampler", s.sampler},
          {"status", s.status},
          {"chains", s.chains},
          {"warmup", s.warmup},
          {"draws", s.draws},
          {"other_modes", other_modes_of(s)},
          {"seconds_setup", s.seconds_setup},
          {"seconds_sampling", s.seconds_sampling},
          {"seconds_warmup", s.seconds_warmup},
          {"seconds_per_independent_sample", json_number(s.seconds_per_independent_sample)},
          {"setup", s.setup ? s.setup->json : Json()},
          {"bias", s.bias ? to_json(*s.bias) : Json()},
          {"chain_details", chains},
          {"notes", s.notes},
          {"warnings", s.warnings}};
}

namespace {

std::string table_of(const FitSummary& s) {
  std::string text = fmt::format(
      "{:<10} {:>11} {:>11} {:>10} {:>11} {:>11} {:>11} {:>9} {:>9} {:>7}\n", "parameter", "mean",
      "sd", "mcse", "5%", "50%", "95%", "ess bulk", "ess tail", "R-hat");
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    const auto& p = s.parameters[j];
    const std::string input = j < s.inputs.size() ? printable(s.inputs[j]) : "";
    text += fmt::format(
        "{:<10} {:>11.5g} {:>11.5g} {:>10.3g} {:>11.5g} {:>11.5g} {:>11.5g} {:>9.0f} {:>9.0f} "
        "{:>7.3f}{}\n",
        p.name, p.mean, p.sd, p.mcse, p.q5, p.q50, p.q95, p.ess_bulk, p.ess_tail, p.rhat,
        input.empty() ? "" : "  " + input);
  }
  if (!s.length_scales.empty()) text += fmt::format("\n{}", to_text(s.length_scales));
  return text;
}

std::string timing_of(const FitSummary& s) {
  std::string text = fmt::format("\nset-up {:.1f} s, warm-up {:.1f} s, sampling {:.1f} s",
                                 s.seconds_setup, s.seconds_warmup, s.seconds_sampling);
  if (std::isfinite(s.seconds_per_independent_sample)) {
    text += fmt::format(", {:.3g} s for an independent sample", s.seconds_per_independent_sample);
  }
  return text + "\n";
}

// ", preset paper, seed 1"
std::string about_the_run(const WhatWasFitted& fitted) {
  if (fitted.inputs.empty()) return "";
  return fmt::format(", preset {}, seed {}", fitted.preset, fitted.seed);
}

// Who looks at a mean should know; where draws miss a mode a warning says more.
std::string about_another_mode(const FitSummary& s) {
  if (s.draws == 0 || s.other_modes < kModeThatCounts || misses_a_mode(s)) return "";
  return fmt::format(
      "\nThe posterior has another mode{}, which holds about {:.0f} % of it; {:.0f} % of the draws "
      "are nearer to that one.\n",
      place_of_the_other_mode(s), 100 * s.other_modes, 100 * s.other_draws);
}

// Chains of mh and nuts start and are scaled there, and are exact wherever that is.
std::string about_the_search(const FitSummary& s) {
  const bool exact = s.sampler == "mh" || s.sampler == "nuts";
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
  return rows > 0 ? fmt::format("  other modes were looked for in {} of the rows alone\n", rows)
                  : "";
}

// The guard against what a posterior that is not Gaussian makes of steps that are long.
std::string about_short_steps(const FitSummary& s) {
  if (s.draws == 0 || !s.setup) return "";
  const double bend = s.setup->bend, step = s.setup->step;
  if (!(step < kLongestStep) || step != step_for(bend)) return "";  // or it was asked for
  return fmt::format(
      "  steps are {:.2g} long instead of {:.2g}, since the posterior is not quite Gaussian (bend "
      "{:.2f})\n",
      step, kLongestStep, bend);
}

}  // namespace

std::string about_exact_steps(const FitSummary& s) {
  if (s.draws == 0 || !s.setup || !s.setup->exact) return "";
  return fmt::format(
      "Steps were exact, those of nuts, since {}: they add no error of their own, and settings of "
      "gradients (--q, --probe-count, --bank, --rank, --trace) were not used.",
      s.setup->why_exact);
}

std::string to_text(const FitSummary& s) {
  std::string text = to_text(s.fitted) +
                     fmt::format("{} chain{} of {} draws after {} of warm-up, sampler {}{}, {}\n\n",
                                 s.chains, s.chains == 1 ? "" : "s", s.draws, s.warmup, s.sampler,
                                 about_the_run(s.fitted), s.status);
  if (s.draws > 0) text += table_of(s) + timing_of(s);
  if (s.bias) {
    text += fmt::format("\n{}{}{}", to_text(*s.bias), about_short_steps(s),
                        about_a_search_in_few_rows(s));
  }
  if (const std::string exact = about_exact_steps(s); !exact.empty()) text += "\n" + exact + "\n";
  text += about_the_search(s) + about_another_mode(s);
  for (const auto& note : s.notes) text += fmt::format("\nnote: {}\n", printable(note));
  for (const auto& warning : s.warnings) text += fmt::format("\nwarning: {}\n", warning);
  if (s.warnings.empty()) text += "No sign of trouble: chains agree, and there are enough draws.\n";
  return text;
}

}  // namespace ulisse
