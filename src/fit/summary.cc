#include "fit/summary.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/json_text.h"
#include "fit/fit_draws.h"
#include "fit/second_mode.h"
#include "sample/langevin.h"
#include "ulisse/error.h"

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
double share_nearer_to_the_other(const Json& json, const FitDraws& draws) {
  const Vector mode = vector_of(json.at("mode").at("psi"));
  const Vector other = vector_of(json.at("mode").at("other_psi"));
  Matrix metric(mode.size(), mode.size());
  for (Index i = 0; i < mode.size(); ++i) {
    metric.row(i) = vector_of(json.at("metric").at(static_cast<std::size_t>(i))).transpose();
  }
  const Vector towards = metric.llt().solve(other - mode);
  const double half_way = towards.dot(0.5 * (mode + other));
  Matrix place = Matrix::Zero(draws.draws(), draws.chains());
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    place += towards(static_cast<Index>(j)) * draws.theta[j].array().log().matrix();
  }
  return static_cast<double>((place.array() > half_way).count()) /
         static_cast<double>(place.size());
}

}  // namespace

FitSummary summarise_fit(const FitFolder& folder) {
  const Json json = folder.read_json();
  FitSummary s;
  s.sampler = json.at("settings").at("sampler");
  s.status = json.at("status");
  s.chains = json.at("settings").at("chains");
  s.warmup = json.value("warmup_iterations", 0L);
  s.setup = json.value("setup", Json());
  for (const Json& p : json.value("parameters", Json::array())) {
    s.inputs.push_back(p.value("input", ""));
  }
  if (json.contains("mode")) {
    s.mode_converged = json.at("mode").value("converged", true);
    s.other_modes = json.at("mode").value("other_share", 0.0);
    s.second_mode = json.at("mode").value("second_share", s.other_modes);
  }
  s.seconds_setup = json.value("seconds_setup", 0.0);
  s.seconds_warmup = json.value("seconds_warmup", 0.0);
  s.seconds_sampling = json.value("seconds_sampling", 0.0);
  s.chain_details = json.value("chains", std::vector<Json>());
  for (Json& chain : s.chain_details) chain.erase("history");  // long, and for plots alone
  const FitDraws draws = read_draws(folder, s.chains);
  s.draws = draws.draws();
  if (s.draws == 0) {  // it ended in warm-up, or with its last iteration
    s.seconds_per_independent_sample = NAN;
    s.warnings = warnings_of(s, 0);
    return s;
  }
  if (s.other_modes > 0) s.other_draws = share_nearer_to_the_other(json, draws);
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    const Matrix& theta = draws.theta[j];
    s.parameters.push_back(diagnose::summarise(draws.parameters[j], theta));
    s.log_parameters.push_back(
        diagnose::summarise(draws.parameters[j], theta.array().log().matrix()));
  }
  s.length_scales = length_scales(json, s.parameters);
  s.bias = bias_budget(s.setup, s.chain_details);
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
  return {{"parameters", parameters},
          {"log_parameters", log_parameters},
          {"length_scales", to_json(s.length_scales)},
          {"sampler", s.sampler},
          {"status", s.status},
          {"chains", s.chains},
          {"warmup", s.warmup},
          {"draws", s.draws},
          {"other_modes", {{"share", s.other_modes}, {"share_of_draws", s.other_draws}}},
          {"seconds_setup", s.seconds_setup},
          {"seconds_sampling", s.seconds_sampling},
          {"seconds_warmup", s.seconds_warmup},
          {"seconds_per_independent_sample", json_number(s.seconds_per_independent_sample)},
          {"setup", s.setup},
          {"bias", s.bias ? to_json(*s.bias) : Json()},
          {"chain_details", s.chain_details},
          {"warnings", s.warnings}};
}

namespace {

std::string table_of(const FitSummary& s) {
  std::string text = fmt::format(
      "{:<10} {:>11} {:>11} {:>10} {:>11} {:>11} {:>11} {:>9} {:>9} {:>7}\n", "parameter", "mean",
      "sd", "mcse", "5%", "50%", "95%", "ess bulk", "ess tail", "R-hat");
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    const auto& p = s.parameters[j];
    const std::string input = j < s.inputs.size() ? s.inputs[j] : "";
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

// Who looks at a mean should know; where draws miss a mode a warning says more.
std::string about_another_mode(const FitSummary& s) {
  if (s.draws == 0 || s.other_modes < kModeThatCounts || misses_a_mode(s)) return "";
  return fmt::format(
      "\nThe posterior has another mode, which holds about {:.0f} % of it; {:.0f} % of the draws "
      "are "
      "nearer to that one.\n",
      100 * s.other_modes, 100 * s.other_draws);
}

std::string about_a_search_in_few_rows(const FitSummary& s) {
  const long rows = s.draws > 0 && s.setup.is_object() ? s.setup.value("searched_rows", 0L) : 0;
  return rows > 0 ? fmt::format("  other modes were looked for in {} of the rows alone\n", rows)
                  : "";
}

// The guard against what a posterior that is not Gaussian makes of steps that are long.
std::string about_short_steps(const FitSummary& s) {
  if (s.draws == 0 || !s.setup.is_object() || !s.setup.contains("step")) return "";
  const double bend = number_at(s.setup, "bend"), step = s.setup.value("step", kLongestStep);
  if (!(step < kLongestStep) || step != step_for(bend)) return "";  // or it was asked for
  return fmt::format(
      "  steps are {:.2g} long instead of {:.2g}, since the posterior is not quite Gaussian (bend "
      "{:.2f})\n",
      step, kLongestStep, bend);
}

}  // namespace

std::string about_exact_steps(const FitSummary& s) {
  if (s.draws == 0 || !s.setup.is_object() || !s.setup.value("exact", false)) return "";
  return fmt::format(
      "Steps were exact, those of nuts, since {}: they add no error of their own, and settings of "
      "gradients (--q, --probe-count, --bank, --rank, --trace) were not used.",
      s.setup.value("why_exact", ""));
}

std::string to_text(const FitSummary& s) {
  std::string text =
      fmt::format("{} chain{} of {} draws after {} of warm-up, sampler {}, {}\n\n", s.chains,
                  s.chains == 1 ? "" : "s", s.draws, s.warmup, s.sampler, s.status);
  if (s.draws > 0) text += table_of(s) + timing_of(s);
  if (s.bias) {
    text += fmt::format("\n{}{}{}", to_text(*s.bias), about_short_steps(s),
                        about_a_search_in_few_rows(s));
  }
  if (const std::string exact = about_exact_steps(s); !exact.empty()) text += "\n" + exact + "\n";
  text += about_another_mode(s);
  for (const auto& warning : s.warnings) text += fmt::format("\nwarning: {}\n", warning);
  if (s.warnings.empty()) text += "No sign of trouble: chains agree, and there are enough draws.\n";
  return text;
}

}  // namespace ulisse
