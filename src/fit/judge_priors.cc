#include <algorithm>
#include <cmath>
#include <optional>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using namespace finding_limits;

// By which share of its length, in logarithms, the end of the interval moves that moves more.
double move_of(const PriorEffect& effect) {
  const double length = std::log(effect.now.q95 / effect.now.q5);
  const double low = std::abs(std::log(effect.strong.q5 / effect.weak.q5));
  const double high = std::abs(std::log(effect.strong.q95 / effect.weak.q95));
  return std::max(low, high) / length;
}

bool is_beyond(double limit_of_sensitivity, double limit_of_move, const PriorEffect& effect) {
  return effect.sensitivity >= limit_of_sensitivity && !(move_of(effect) < limit_of_move);
}

// Where the data say little, a prior that matters is all there is. Where they say much, the two are
// at odds, or a prior of little weight is seen since it is the only one. A prior that nobody has
// stated is no knowledge to be at odds with.
std::optional<Code> judged(const PriorEffect& effect) {
  if (!(effect.effective_draws >= kWeightedDraws)) return std::nullopt;
  const bool informative = effect.likelihood >= kSensitivity;
  if (informative && is_beyond(kConflict, kConflict, effect)) {
    return effect.by_default ? Code::prior_matters : Code::prior_conflict;
  }
  if (!informative && is_beyond(kSensitivity, kLeastMove, effect)) return Code::prior_matters;
  return std::nullopt;
}

}  // namespace

void judge_priors(const FitSummary& s, Findings& findings) {
  for (const PriorEffect& effect : s.prior_effects) {
    const std::optional<Code> code = judged(effect);
    if (!code) continue;
    const bool scaled = s.fitted.standardised && !effect.in_data_units;
    findings.push_back({.code = *code,
                        .values = {{"prior_of", effect.prior_of},
                                   {"moves", effect.moves},
                                   {"units", scaled ? " (of standardised columns)" : ""},
                                   {"sensitivity", effect.sensitivity},
                                   {"likelihood_sensitivity", effect.likelihood},
                                   {"weak_power", 1 / effect.power},
                                   {"strong_power", effect.power},
                                   {"weak_q5", effect.weak.q5},
                                   {"weak_q95", effect.weak.q95},
                                   {"strong_q5", effect.strong.q5},
                                   {"strong_q95", effect.strong.q95}},
                        .remedies = {{"priors", Change::state, {}}}});
  }
}

}  // namespace ulisse
