#include "ulisse/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/code_names.h"
#include "base/named_values.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;

const CodeNames<Code>& names() {
  static const CodeNames<Code> names = {{
      {Code::no_draws, "no_draws"},
      {Code::running, "running"},
      {Code::incomplete, "incomplete"},
      {Code::one_chain, "one_chain"},
      {Code::chain_cut_short, "chain_cut_short"},
      {Code::chain_too_long, "chain_too_long"},
      {Code::diagnostics_unknown, "diagnostics_unknown"},
      {Code::chains_disagree, "chains_disagree"},
      {Code::chains_nearly_agree, "chains_nearly_agree"},
      {Code::too_few_effective_draws, "too_few_effective_draws"},
      {Code::few_effective_draws, "few_effective_draws"},
      {Code::goal_not_reached, "goal_not_reached"},
      {Code::divergent_trajectories, "divergent_trajectories"},
      {Code::mode_not_converged, "mode_not_converged"},
      {Code::modes_in_subset, "modes_in_subset"},
      {Code::mode_missed, "mode_missed"},
      {Code::curvature_repaired, "curvature_repaired"},
      {Code::posterior_undefined, "posterior_undefined"},
      {Code::posterior_not_gaussian, "posterior_not_gaussian"},
      {Code::steep_tails, "steep_tails"},
      {Code::metric_replaced, "metric_replaced"},
      {Code::prior_conflict, "prior_conflict"},
      {Code::prior_matters, "prior_matters"},
      {Code::step_not_frozen, "step_not_frozen"},
      {Code::long_drifts, "long_drifts"},
      {Code::steps_halved, "steps_halved"},
      {Code::rare_truncated_solves, "rare_truncated_solves"},
      {Code::noise_in_tails, "noise_in_tails"},
      {Code::solves_not_converged, "solves_not_converged"},
      {Code::anchor_solves_not_converged, "anchor_solves_not_converged"},
      {Code::anchor_far_from_mode, "anchor_far_from_mode"},
      {Code::surrogate_bias, "surrogate_bias"},
      {Code::spread_bias_extreme, "spread_bias_extreme"},
      {Code::spread_bias, "spread_bias"},
      {Code::mode_gradient_bias, "mode_gradient_bias"},
      {Code::mode_gradient_error_above_goal, "mode_gradient_error_above_goal"},
      {Code::anchor_probes_bias, "anchor_probes_bias"},
      {Code::solver_bias, "solver_bias"},
      {Code::product_bias, "product_bias"},
  }};
  return names;
}

template <class T>
const T& value_of(const Finding& finding, std::string_view name) {
  if (const T* value = value_named<T>(name, finding.values)) return *value;
  throw std::invalid_argument(
      fmt::format("the finding {} has no such value '{}'", to_string(finding.code), name));
}

}  // namespace

double Finding::number(std::string_view name) const { return value_of<double>(*this, name); }

const std::string& Finding::text(std::string_view name) const {
  return value_of<std::string>(*this, name);
}

std::string_view to_string(Code code) { return names().of(code); }

std::string_view to_string(Change change) {
  switch (change) {
    case Change::increase:
      return "increase";
    case Change::decrease:
      return "decrease";
    case Change::halve:
      return "halve";
    case Change::set:
      return "set";
    case Change::compare:
      return "compare";
    case Change::another:
      return "another";
    case Change::strengthen:
      return "strengthen";
    case Change::state:
      return "state";
  }
  throw std::invalid_argument("there is no such change");
}

const std::vector<Code>& all_codes() {
  static const std::vector<Code> codes = names().codes();
  return codes;
}

bool has(const Findings& findings, Code code) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& each) { return each.code == code; });
}

bool is_about_priors(const Finding& finding) {
  return finding.code == Code::prior_conflict || finding.code == Code::prior_matters;
}

bool forbids_use(const Finding& finding) {
  constexpr std::array kForbid = {Code::no_draws, Code::diagnostics_unknown, Code::chains_disagree,
                                  Code::mode_missed};
  return std::find(kForbid.begin(), kForbid.end(), finding.code) != kForbid.end();
}

}  // namespace ulisse
