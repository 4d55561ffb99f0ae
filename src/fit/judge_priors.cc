#include <algorithm>
#include <cmath>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using namespace finding_limits;

// Where the data say little, a prior that matters is all there is. Where they say much, the two are
// at odds.
bool is_conflict(const PriorEffect& effect) { return effect.likelihood >= kSensitivity; }

// Whether an end of the interval moves by a twentieth of the interval's length, in logarithms: what
// moves by less nobody would decide otherwise by.
bool moves_far(const PriorEffect& effect) {
  const double length = std::log(effect.now.q95 / effect.now.q5);
  const double low = std::abs(std::log(effect.strong.q5 / effect.weak.q5));
  const double high = std::abs(std::log(effect.strong.q95 / effect.weak.q95));
  return !(std::max(low, high) < kLeastMove * length);
}

}  // namespace

void judge_priors(const FitSummary& s, Findings& findings) {
  for (const PriorEffect& effect : s.prior_effects) {
    if (!(effect.sensitivity >= kSensitivity && effect.effective_draws >= kWeightedDraws)) continue;
    if (!moves_far(effect)) continue;
    const bool scaled = s.fitted.standardised && !effect.in_data_units;
    findings.push_back({.code = is_conflict(effect) ? Code::prior_conflict : Code::prior_matters,
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
