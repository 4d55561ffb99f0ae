#include <algorithm>
#include <cmath>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"
#include "fit/sampler_kind.h"
#include "ulisse/backend.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using Remedy = Finding::Remedy;
using namespace finding_limits;

Remedy exact_steps() { return {"sampler", Change::set, exact_sampler()}; }

// Of the shortest step that was taken, where that is known.
Remedy half_the_step(const BiasBudget& b) {
  if (std::isnan(b.step)) return {"step", Change::halve, {}};
  return {"step", Change::set, b.step / 2};
}

void judge_spread(const BiasBudget& b, Findings& findings) {
  Finding found{.code = Code::spread_bias,
                .values = {{"share", b.discretisation}, {"standard_error", b.discretisation_error}},
                .remedies = {half_the_step(b), exact_steps()}};
  if (b.discretisation > kExtremeSpreadBias) {
    found.code = Code::spread_bias_extreme;
    found.remedies.insert(found.remedies.begin(),
                          Remedy{"early_stop", Change::set, kShortEarlyStop});
    findings.push_back(std::move(found));
    // One chain has no error: then whatever is large is said.
  } else if (b.discretisation > kMostBiasInSd &&
             !(b.discretisation <= kStandardErrorsOfChance * b.discretisation_error)) {
    findings.push_back(std::move(found));
  }
}

// Where the gradient at the mode is a mean over probes.
void judge_mode_gradient(const BiasBudget& b, Findings& findings) {
  const std::vector<Remedy> remedies = {{"mode_gradient_probes", Change::increase, {}},
                                        {"memory", Change::increase, {}}};
  if (!(b.anchor <= kMostBiasInSd)) {
    findings.push_back(
        {.code = Code::mode_gradient_bias, .values = {{"bias", b.anchor}}, .remedies = remedies});
  } else if (b.anchor > b.anchor_goal) {
    findings.push_back({.code = Code::mode_gradient_error_above_goal,
                        .values = {{"bias", b.anchor}, {"goal", b.anchor_goal}},
                        .remedies = remedies});
  }
}

}  // namespace

// NaN is not small.
Findings findings_of(const BiasBudget& b) {
  Findings findings;
  if (b.surrogate && !(*b.surrogate <= kMostBiasInSd)) {
    findings.push_back({.code = Code::surrogate_bias,
                        .values = {{"limit", *b.surrogate}},
                        .remedies = {{"certificate", Change::set, kMostBiasInSd / 2}}});
  }
  judge_spread(b, findings);
  judge_mode_gradient(b, findings);
  if (!(b.bank <= kMostBiasInSd)) {
    findings.push_back({.code = Code::anchor_probes_bias,
                        .values = {{"bias", b.bank}},
                        .remedies = {{"anchor_probes", Change::increase, {}}}});
  }
  if (!(b.solver <= kMostBiasInSd)) {
    findings.push_back(
        {.code = Code::solver_bias, .values = {{"bias", b.solver}}, .remedies = {exact_steps()}});
  }
  if (!(b.products <= kMostBiasInSd)) {
    findings.push_back({.code = Code::product_bias,
                        .values = {{"bias", b.products}},
                        .remedies = {{"backend", Change::set, exact_backend()},
                                     {"product_tolerance", Change::decrease, {}}}});
  }
  return findings;
}

}  // namespace ulisse
