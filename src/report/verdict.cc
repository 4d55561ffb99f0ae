#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/finding_limits.h"
#include "fit/sampler_kind.h"
#include "report/bias_words.h"
#include "report/summary_words.h"

namespace ulisse {

namespace {

struct Extremes {
  double rhat = 1, ess = INFINITY, error = 0;  // of the mean, in posterior standard deviations
  bool known = true;                           // all of them could be computed
  bool controlled = false;                     // the error is that of control variates
};

Extremes extremes_of(const FitSummary& s) {
  Extremes worst;
  for (const auto& p : s.parameters) {
    worst.rhat = std::max(worst.rhat, p.rhat);
    worst.ess = std::min({worst.ess, p.ess_bulk, p.ess_tail});
    if (p.mcse / p.sd > worst.error) worst.controlled = p.of_draws.has_value();
    worst.error = std::max(worst.error, p.mcse / p.sd);
    worst.known = worst.known && std::isfinite(p.rhat) && std::isfinite(p.ess_bulk) &&
                  std::isfinite(p.ess_tail) && std::isfinite(p.mcse / p.sd);
  }
  return worst;
}

bool rules_out_trust(const Finding& finding) {
  return forbids_use(finding) || finding.code == Finding::Code::chains_nearly_agree ||
         finding.code == Finding::Code::too_few_effective_draws;
}

bool measures_bias(const FitSummary& s) {
  const SamplerKind* kind = find_sampler_kind(s.sampler);
  return kind == nullptr || kind->measures_bias;
}

Verdict::Level level_of(const FitSummary& s) {
  if (std::any_of(s.findings.begin(), s.findings.end(), rules_out_trust)) {
    return Verdict::Level::distrust;
  }
  const bool good = std::all_of(s.findings.begin(), s.findings.end(), is_about_priors);
  return good && measures_bias(s) ? Verdict::Level::trust : Verdict::Level::caution;
}

std::string headline_of(Verdict::Level level) {
  switch (level) {
    case Verdict::Level::trust:
      return "These draws can be trusted.";
    case Verdict::Level::caution:
      return "These draws can be used with care.";
    case Verdict::Level::distrust:
      return "These draws cannot be trusted yet.";
  }
  return "";
}

std::string words(const BiasBudget& b) {
  const double of_means =
      Vector{{b.surrogate.value_or(0), b.anchor, b.bank, b.solver, b.products}}.norm();
  if (b.surrogate) {
    return fmt::format(
        "The bias of the draws, which more of them do not reduce, is at most {:.2g} posterior "
        "standard deviations for means, {:.2g} of them certified for the surrogate.",
        of_means, *b.surrogate);
  }
  return fmt::format(
      "The bias of the sampler, which more draws do not reduce, is at most: of posterior standard "
      "deviations {} by the step size and {:.1f} % by the anchor probes; of posterior means {:.2g} "
      "posterior standard deviations.",
      std::isnan(b.discretisation)
          ? how_well_known(b)
          : fmt::format("{:.1f} % ({})", 100 * b.discretisation, how_well_known(b)),
      100 * b.bank_spread, of_means);
}

std::vector<std::string> reasons_of(const FitSummary& s, const Extremes& worst) {
  if (s.draws == 0) return {"There are no draws."};
  if (!worst.known) {
    return {fmt::format("{} draws of {} chain{} are too few, or too much the same, to be judged.",
                        s.draws, s.chains, s.chains == 1 ? "" : "s")};
  }
  std::vector<std::string> reasons;
  reasons.push_back(fmt::format(
      "{} R-hat is {:.4f} at most: {}.",
      s.chains == 1 ? "The chain's halves:" : fmt::format("The {} chains:", s.chains), worst.rhat,
      worst.rhat <= finding_limits::kRhat
          ? "they agree"
          : fmt::format("they do not agree, for which {} is the limit", finding_limits::kRhat)));
  reasons.push_back(
      fmt::format("The effective sample size is at least {:.0f}: the standard error of posterior "
                  "means is {:.2g} "
                  "posterior standard deviations at most{}.",
                  worst.ess, worst.error, worst.controlled ? ", by control variates" : ""));
  if (s.bias) reasons.push_back(words(*s.bias));
  for (std::string about :
       {about_the_surrogate(s), about_exact_steps(s, OptionNames::command_line)}) {
    if (!about.empty()) reasons.push_back(std::move(about));
  }
  if (!measures_bias(s)) {
    reasons.push_back(
        s.sampler +
        " has a bias of the order of its step size and of the variance of its gradients, which "
        "it "
        "does not measure: posterior standard deviations are some per cent too large.");
  }
  return reasons;
}

}  // namespace

Verdict verdict_of(const FitSummary& summary) {
  const Extremes worst = extremes_of(summary);
  const Verdict::Level level = level_of(summary);
  return {.level = level, .headline = headline_of(level), .reasons = reasons_of(summary, worst)};
}

}  // namespace ulisse
