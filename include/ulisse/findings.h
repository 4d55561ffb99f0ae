#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ulisse {

// Something that is wrong with a fit, as data: what was found, the numbers behind it, and what to
// do about it. Options have the names that they have in fit.json; each front end words a finding,
// and names options, in its own way. docs/reference/diagnostics.md has a table of the codes.
struct Finding {
  enum class Code {
    // The run:
    no_draws,
    running,
    incomplete,
    one_chain,
    chain_cut_short,
    chain_too_long,
    // Agreement of the chains:
    diagnostics_unknown,
    chains_disagree,
    chains_nearly_agree,
    too_few_effective_draws,
    few_effective_draws,
    goal_not_reached,
    divergent_trajectories,
    // Modes:
    mode_not_converged,
    modes_in_subset,
    mode_missed,
    curvature_repaired,
    // The posterior's shape:
    posterior_undefined,
    posterior_not_gaussian,
    steep_tails,
    metric_replaced,
    // Priors:
    prior_conflict,
    prior_matters,
    // Stochastic gradients:
    step_not_frozen,
    long_drifts,
    steps_halved,
    rare_truncated_solves,
    noise_in_tails,
    solves_not_converged,
    anchor_solves_not_converged,
    anchor_far_from_mode,
    // Bias:
    surrogate_bias,
    spread_bias_extreme,
    spread_bias,
    mode_gradient_bias,
    mode_gradient_error_above_goal,
    anchor_probes_bias,
    solver_bias,
    product_bias
  };

  using Value = std::variant<double, std::string>;

  struct Named {
    std::string name;
    Value value;
  };

  // A statistic of a parameter: "rhat", "ess_bulk", "ess_tail", "mcse", "other_mode".
  struct OfParameter {
    std::string parameter, statistic;
    double value = 0;
  };

  struct Remedy {
    enum class Change {
      increase,
      decrease,
      halve,
      set,         // to `value`
      compare,     // with a fit that has `value`, where the number of rows allows it
      another,     // any other value
      strengthen,  // a prior
      state        // what is known beforehand
    };
    std::string option;
    Change change = Change::increase;
    std::optional<Value> value{};
  };

  Code code = Code::no_draws;
  std::vector<Named> values{};
  std::vector<OfParameter> parameters{};
  std::vector<Remedy> remedies{};

  // The value of a name; throw std::invalid_argument where there is none of that kind.
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
};

using Findings = std::vector<Finding>;

// "chains_disagree", as in the JSON of a summary.
std::string_view to_string(Finding::Code code);
std::string_view to_string(Finding::Remedy::Change change);
const std::vector<Finding::Code>& all_codes();

bool has(const Findings& findings, Finding::Code code);

// The draws are as good as without it: it is the model's, not theirs.
bool is_about_priors(const Finding& finding);

// Predictions and means from such draws are wrong: chains do not agree, nothing says whether they
// do, or they miss a part of the posterior.
bool forbids_use(const Finding& finding);

}  // namespace ulisse
