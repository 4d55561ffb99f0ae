#include <algorithm>
#include <cmath>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using namespace finding_limits;

void judge_what_is_unknown(const FitSummary& s, Findings& findings) {
  Finding unknown{.code = Code::diagnostics_unknown, .remedies = {{"draws", Change::increase, {}}}};
  for (const auto& p : s.parameters) {
    if (!std::isfinite(p.rhat) && !std::isinf(p.rhat)) {
      unknown.parameters.push_back({p.name, "rhat", p.rhat});
    } else if (!std::isfinite(p.mcse / p.sd)) {
      unknown.parameters.push_back({p.name, "mcse", p.mcse});
    }
  }
  if (!unknown.parameters.empty()) findings.push_back(std::move(unknown));
}

// Of too few effective draws it says that chains are apart, but not that they nearly agree.
void judge_rhat(const FitSummary& s, bool can_be_trusted, Findings& findings) {
  Finding apart{.code = Code::chains_nearly_agree,
                .values = {{"limit", kRhat}},
                .remedies = {{"draws", Change::increase, {}}}};
  double worst = 0;
  for (const auto& p : s.parameters) {
    worst = std::max(worst, p.rhat);
    if (p.rhat > kRhat) apart.parameters.push_back({p.name, "rhat", p.rhat});
  }
  if (apart.parameters.empty()) return;
  if (worst >= kRhatFarApart) {
    apart.code = Code::chains_disagree;
    apart.remedies.push_back({"warmup", Change::increase, {}});
    apart.remedies.push_back({"sampler", Change::another, {}});
  } else if (!can_be_trusted) {
    return;
  }
  findings.push_back(std::move(apart));
}

// NaN is too few.
void judge_effective_draws(const FitSummary& s, Findings& findings) {
  const auto chains = static_cast<double>(s.chains);
  Finding few{.code = Code::few_effective_draws,
              .values = {{"wanted", kEffectiveDrawsOfAChain * chains}},
              .remedies = {{"draws", Change::increase, {}}}};
  for (const auto& p : s.parameters) {
    const bool tail = p.ess_tail < p.ess_bulk;
    const double least = std::min(p.ess_bulk, p.ess_tail);
    if (least >= kEffectiveDrawsOfAChain * chains) continue;
    few.parameters.push_back({p.name, tail ? "ess_tail" : "ess_bulk", least});
    if (!(least >= kFewestEffectiveDrawsOfAChain * chains)) {
      few.code = Code::too_few_effective_draws;
    }
  }
  if (!few.parameters.empty()) findings.push_back(std::move(few));
}

void judge_goal(const FitSummary& s, Findings& findings) {
  if (!s.goal || s.goal->reached || s.status != "complete") return;
  findings.push_back({.code = Code::goal_not_reached,
                      .values = {{"draws", double(s.draws)},
                                 {"ess", s.goal->effective},
                                 {"rhat", s.goal->rhat},
                                 {"wanted", double(s.goal->ess)},
                                 {"limit", kRhat}},
                      .remedies = {{"max_draws", Change::increase, {}},
                                   {"warmup", Change::increase, {}},
                                   {"sampler", Change::another, {}}}});
}

}  // namespace

void judge_chains(const FitSummary& s, Findings& findings) {
  judge_what_is_unknown(s, findings);
  Findings of_draws;
  judge_effective_draws(s, of_draws);
  const bool too_few = !of_draws.empty() && of_draws.front().code == Code::too_few_effective_draws;
  judge_rhat(s, !too_few, findings);
  findings.insert(findings.end(), of_draws.begin(), of_draws.end());
  judge_goal(s, findings);
}

}  // namespace ulisse
