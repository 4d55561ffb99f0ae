#include "report/finding_words.h"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "report/advice.h"

namespace ulisse {

namespace {

using Code = Finding::Code;

// {name} stands for the value of that name, {name_percent} for a hundred times it; {parameters} for
// the parameters concerned. The second pattern is for values that are not finite.
struct Words {
  Code code;
  const char* pattern;
  const char* where_unknown = nullptr;
};

constexpr Words kOfRun[] = {
    {Code::no_draws, "there are no draws: the fit {status_words} {stage_words}"},
    {Code::running, "the fit is running: these are the draws so far"},
    {Code::incomplete, "the fit {status_words} and is not complete"},
    {Code::one_chain,
     "R-hat of one chain compares its halves alone and cannot show that chains "
     "disagree"},
    {Code::chain_cut_short,
     "{file} has {draws:.0f} draws where there were {expected:.0f}: it has been cut short, and of "
     "each chain the first {draws:.0f} are used"},
    {Code::chain_too_long,
     "{file} has {draws:.0f} draws where there were {expected:.0f}: it has rows that the fit did "
     "not write"},
    {Code::diagnostics_unknown,
     "R-hat or the standard error of {parameters} cannot be computed, so that convergence cannot "
     "be checked"},
    {Code::chains_disagree,
     "R-hat is above {limit} ({parameters}): the chains have not converged, and none of these "
     "numbers can be trusted"},
    {Code::chains_nearly_agree,
     "R-hat is above {limit} ({parameters}): the chains have nearly converged"},
    {Code::too_few_effective_draws,
     "too few effective samples ({parameters}; {wanted:.0f} are wanted): R-hat and standard errors "
     "cannot be trusted"},
    {Code::few_effective_draws,
     "few effective samples ({parameters}; {wanted:.0f} are wanted): means and quantiles have "
     "large Monte Carlo errors"},
    {Code::goal_not_reached,
     "{draws:.0f} draws of each chain were the most allowed and have {ess:.0f} effective samples "
     "and an R-hat of {rhat:.3f}, where {wanted:.0f} and one below {limit} were wanted",
     "{draws:.0f} draws of each chain were the most allowed and cannot be judged"},
    {Code::divergent_trajectories,
     "{trajectories:.0f} of {of:.0f} trajectories diverged: the posterior has regions of high "
     "curvature that the sampler does not explore"},
};

constexpr Words kOfPosterior[] = {
    {Code::mode_not_converged,
     "the search for the mode did not converge, so that chains started, and steps were scaled, "
     "elsewhere"},
    {Code::modes_in_subset,
     "the posterior of the {rows:.0f} rows in which modes were searched for has other modes, with "
     "about {share_percent:.0f} % of its mass; their mass given all rows is unknown, and chains do "
     "not visit them"},
    {Code::mode_missed,
     "the posterior has another mode{place}, with about {share_percent:.0f} % of its mass, and "
     "{share_of_draws_percent:.0f} % of the draws are nearer to that one: {why_words}, and its "
     "draws cannot be trusted"},
    {Code::curvature_repaired,
     "the Hessian at the mode was not negative definite and was repaired: the mode may be a saddle "
     "point or a ridge"},
    {Code::posterior_undefined,
     "1.5 standard deviations from the mode the posterior density cannot be computed, so that it "
     "is unknown how Gaussian it is, and these draws cannot be trusted; a prior that keeps lambda "
     "away from 0 may help"},
    {Code::posterior_not_gaussian,
     "the posterior is visibly not Gaussian (1.5 standard deviations from the mode the relative "
     "error of a Gaussian's gradient is {bend:.2f}); the step size is {step:.2g}",
     "the posterior is visibly not Gaussian (1.5 standard deviations from the mode the relative "
     "error of a Gaussian's gradient is {bend:.2f})"},
    {Code::steep_tails,
     "{steps:.0f} of {of:.0f} steps began where the posterior is steeper than a Gaussian and were "
     "cut: its tails cannot be trusted"},
    {Code::metric_replaced,
     "in {chains:.0f} of {of:.0f} chains the covariance of the draws was far from the inverse "
     "Hessian at the mode and replaced it"},
};

constexpr Words kOfPriors[] = {
    {Code::prior_matters,
     "the prior of {prior_of} matters: were it a little weaker (to the power of {weak_power:.3g}), "
     "the 90 % interval of {moves}{units} would be {weak_q5:.3g} to {weak_q95:.3g}, and a little "
     "stronger "
     "({strong_power:.3g}), {strong_q5:.3g} to {strong_q95:.3g}"},
    {Code::prior_conflict,
     "the prior of {prior_of} and the data disagree: were the prior a little weaker (to the power "
     "of {weak_power:.3g}), the 90 % interval of {moves}{units} would be {weak_q5:.3g} to "
     "{weak_q95:.3g}, "
     "and a little stronger ({strong_power:.3g}), {strong_q5:.3g} to {strong_q95:.3g}"},
};

constexpr Words kOfGradients[] = {
    {Code::step_not_frozen,
     "in {chains:.0f} of {of:.0f} chains the step size was never frozen: the noise of the "
     "gradients stayed above its limit, and the draws are overdispersed"},
    {Code::long_drifts,
     "{steps:.0f} steps of {of:.0f} draws were cut, since their drift was more than three times "
     "the injected noise: the noise of the gradients is heavy-tailed"},
    {Code::steps_halved,
     "in {chains:.0f} of {of:.0f} chains the step size was halved during warm-up, because of noisy "
     "gradients or a steep posterior: effective sample sizes are smaller"},
    {Code::rare_truncated_solves,
     "up to {solves_per_iteration:.2g} truncated solves an iteration have a variance that rests on "
     "events too rare to occur: the gradients are biased in practice"},
    {Code::noise_in_tails,
     "three standard deviations from the mode truncated solves add {share_percent:.0f} % to the "
     "variance of the draws, and steps can correct for {limit_percent:.0f} %: tails cannot be "
     "trusted",
     "three standard deviations from the mode the variance of truncated solves is too large to be "
     "estimated, and steps can correct for {limit_percent:.0f} %: tails cannot be trusted"},
    {Code::solves_not_converged,
     "{solves:.0f} solves reached the iteration limit or broke down; their gradients are biased"},
    {Code::anchor_solves_not_converged,
     "{solves:.0f} solves at the mode did not converge, and all gradients depend on them"},
    {Code::anchor_far_from_mode,
     "the anchor of the gradients is about {distance:.1f} posterior standard deviations from the "
     "mode, so that the bias was measured in the wrong place"},
};

constexpr Words kOfBias[] = {
    {Code::surrogate_bias,
     "the certificate says no more than that draws are within {limit:.2g} posterior standard "
     "deviations of the posterior, as a larger goal was asked for"},
    {Code::spread_bias_extreme,
     "the bias of posterior standard deviations is {share_percent:.0f} % or more: some steps "
     "seem to have diverged, and these draws cannot be trusted"},
    {Code::spread_bias,
     "the bias of posterior standard deviations is about {share_percent:.0f} % in the worst "
     "direction, because of the step size"},
    {Code::mode_gradient_bias,
     "the bias of posterior means is up to {bias:.2f} posterior standard deviations, because of "
     "the standard error of the gradient at the mode",
     "the bias of posterior means is unknown, since the standard error of the gradient at the mode "
     "is"},
    {Code::mode_gradient_error_above_goal,
     "the standard error of the gradient at the mode is {bias:.2g} posterior standard deviations, "
     "and {goal:.2g} were asked for"},
    {Code::anchor_probes_bias,
     "the bias of posterior means is up to {bias:.2f} posterior standard deviations, because of "
     "the finite number of probes at the anchor",
     "the bias of posterior means by the finite number of probes at the anchor is unknown"},
    {Code::solver_bias,
     "the bias of posterior means is up to {bias:.2g} posterior standard deviations, because of "
     "the tolerance of solves at the mode",
     "the bias of posterior means by the tolerance of solves at the mode is unknown"},
    {Code::product_bias,
     "the bias of posterior means is up to {bias:.2f} posterior standard deviations, because of "
     "inexact products",
     "the bias of posterior means by inexact products is unknown"},
};

const Words& words_of(Code code) {
  for (const std::span<const Words> table :
       {std::span<const Words>(kOfRun), std::span<const Words>(kOfPosterior),
        std::span<const Words>(kOfPriors), std::span<const Words>(kOfGradients),
        std::span<const Words>(kOfBias)}) {
    for (const Words& words : table) {
      if (words.code == code) return words;
    }
  }
  throw std::invalid_argument(fmt::format("there are no words for {}", to_string(code)));
}

// "tau 399 in the tails"
std::string words_of(const Finding::OfParameter& p) {
  if (std::isnan(p.value) || p.statistic == "mcse") return p.parameter;
  if (p.statistic == "rhat") return fmt::format("{} {:.3f}", p.parameter, p.value);
  if (p.statistic == "other_mode") return fmt::format("{} = {:.3g}", p.parameter, p.value);
  return fmt::format("{} {:.0f}{}", p.parameter, p.value,
                     p.statistic == "ess_tail" ? " in the tails" : "");
}

std::string joined_parameters(const Finding& finding) {
  std::vector<std::string> texts;
  for (const auto& each : finding.parameters) texts.push_back(words_of(each));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string status_words(const std::string& status) {
  if (status == "complete") return "ended";
  return status == "running" ? "is running" : "was " + status;
}

std::string stage_words(const Finding& finding) {
  const double iterations = finding.number("iterations");
  const bool began = finding.text("stage") == "warm-up" && iterations > 0;
  return fmt::format("in its {}{}", finding.text("stage"),
                     began ? fmt::format(" ({:.0f} iterations)", iterations) : "");
}

std::string why_a_mode_is_missed(const Finding& finding) {
  const std::string& why = finding.text("why");
  if (why == "third_mode") return "there is more than one, and ulisse swaps with one alone";
  if (why == "few_swaps") return "ulisse has not swapped with it often enough";
  return finding.text("sampler") + " rarely moves between modes";
}

using Arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

// Every value by its name, and what is made of several.
Arguments arguments_of(const Finding& finding) {
  Arguments arguments;
  for (const auto& [name, value] : finding.values) {
    if (const double* number = std::get_if<double>(&value)) {
      arguments.push_back(fmt::arg(name.c_str(), *number));
      arguments.push_back(fmt::arg((name + "_percent").c_str(), 100 * *number));
    } else {
      arguments.push_back(fmt::arg(name.c_str(), std::get<std::string>(value)));
      if (name == "status") {
        const std::string words = status_words(std::get<std::string>(value));
        arguments.push_back(fmt::arg("status_words", words));
      }
    }
  }
  const std::string parameters = joined_parameters(finding);
  arguments.push_back(fmt::arg("parameters", parameters));
  if (finding.code == Code::no_draws) {
    arguments.push_back(fmt::arg("stage_words", stage_words(finding)));
  }
  if (finding.code == Code::mode_missed) {
    const std::string place = parameters.empty() ? "" : ", at " + parameters;
    arguments.push_back(fmt::arg("place", place));
    arguments.push_back(fmt::arg("why_words", why_a_mode_is_missed(finding)));
  }
  return arguments;
}

bool all_are_finite(const Finding& finding) {
  return std::all_of(finding.values.begin(), finding.values.end(), [](const auto& each) {
    const double* number = std::get_if<double>(&each.value);
    return !number || std::isfinite(*number);
  });
}

}  // namespace

std::string sentence(const Finding& finding, OptionNames names) {
  const Words& words = words_of(finding.code);
  const bool other = words.where_unknown && !all_are_finite(finding);
  const std::string what =
      fmt::vformat(other ? words.where_unknown : words.pattern, arguments_of(finding));
  const std::string how = advice(finding.remedies, names);
  return how.empty() ? what : what + "; " + how;
}

std::vector<std::string> sentences(const Findings& findings, OptionNames names) {
  std::vector<std::string> texts;
  for (const Finding& finding : findings) texts.push_back(sentence(finding, names));
  return texts;
}

}  // namespace ulisse
