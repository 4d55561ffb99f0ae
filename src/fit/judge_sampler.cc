#include <algorithm>
#include <cmath>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"
#include "fit/sampler_kind.h"
#include "sample/langevin.h"
#include "ulisse/backend.h"
#include "ulisse/gradient_plan.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using namespace finding_limits;

const Finding::Remedy kHigherRank{"rank", Change::increase, {}},
    kSoonerStop{"early_stop", Change::decrease, {}},
    kMoreProbes{"probe_count", Change::increase, {}}, kHalfTheStep{"step", Change::halve, {}},
    kStrongerPriors{"priors", Change::strengthen, {}};

Finding::Remedy exact_steps() { return {"sampler", Change::set, exact_sampler()}; }

// Of all chains.
struct Totals {
  double chains = 0, draws = 0, rare_solves = 0;  // the latter an iteration, of the worst chain
  long not_frozen = 0, reduced = 0, refreshed = 0, cut = 0, unfinished = 0;
};

Totals totals_of(const FitSummary& s) {
  Totals t{.chains = static_cast<double>(s.chain_details.size()),
           .draws = static_cast<double>(s.draws * s.chains)};
  for (const ChainRecord& c : s.chain_details) {
    t.rare_solves = std::max(t.rare_solves, c.untrustworthy.value_or(0));
    if (c.frozen_by_noise && !*c.frozen_by_noise) ++t.not_frozen;
    if (c.step_reduced.value_or(false)) ++t.reduced;
    if (c.metric_refreshed.value_or(false)) ++t.refreshed;
    t.cut += c.cut_drifts.value_or(0);
    t.unfinished += c.unfinished_solves.value_or(0);
  }
  return t;
}

void judge_rare_solves(const Totals& t, Findings& findings) {
  if (!(t.rare_solves > kRareSolvesAnIteration)) return;
  findings.push_back({.code = Code::rare_truncated_solves,
                      .values = {{"solves_per_iteration", t.rare_solves}},
                      .remedies = {kHigherRank, kSoonerStop,
                                   Finding::Remedy{"truncation", Change::set, "matched"}}});
}

void judge_unfinished_solves(const Totals& t, Findings& findings) {
  if (t.unfinished == 0) return;
  findings.push_back({.code = Code::solves_not_converged,
                      .values = {{"solves", double(t.unfinished)}},
                      .remedies = {kHigherRank}});
}

// What matters to gradients by an anchor, whoever takes them.
void judge_anchor(const SetupRecord& setup, Findings& findings) {
  if (setup.mode_distance > kFarFromModeInSd && std::isfinite(setup.mode_distance)) {
    findings.push_back({.code = Code::anchor_far_from_mode,
                        .values = {{"distance", setup.mode_distance}},
                        .remedies = {{"subset", Change::increase, {}}}});
  }
  if (setup.unfinished_solves > 0) {
    findings.push_back({.code = Code::anchor_solves_not_converged,
                        .values = {{"solves", double(setup.unfinished_solves)}},
                        .remedies = {Finding::Remedy{"backend", Change::set, exact_backend()},
                                     kHigherRank, exact_steps()}});
  }
}

void judge_langevin_setup(const SetupRecord& setup, Findings& findings) {
  if (std::isinf(setup.bend)) {
    findings.push_back(
        {.code = Code::posterior_undefined, .remedies = {exact_steps(), kStrongerPriors}});
  } else if (setup.bend >= kMaxUnbiasedBend) {
    findings.push_back({.code = Code::posterior_not_gaussian,
                        .values = {{"bend", setup.bend}, {"step", setup.step}},
                        .remedies = {{"sampler", Change::compare, exact_sampler()}}});
  }
  // Around the mode warm-up looks at the noise itself, and shortens steps.
  const double far = setup.noise_share_far_out;
  const bool measured = setup.noise_share < GradientPlan::kMaxNoiseShare || std::isfinite(far);
  if (measured && far >= GradientPlan::kMaxNoiseShareFarOut) {
    findings.push_back({.code = Code::noise_in_tails,
                        .values = {{"share", far}, {"limit", GradientPlan::kMaxNoiseShareFarOut}},
                        .remedies = {kHalfTheStep, kHigherRank, kSoonerStop}});
  }
  judge_anchor(setup, findings);
}

void judge_langevin_chains(const Totals& t, Findings& findings) {
  judge_rare_solves(t, findings);
  if (t.reduced > 0) {
    findings.push_back({.code = Code::steps_halved,
                        .values = {{"chains", double(t.reduced)}, {"of", t.chains}},
                        .remedies = {kHigherRank, kMoreProbes, kSoonerStop}});
  }
  if (static_cast<double>(t.cut) > kShareOfSteepSteps * t.draws) {
    findings.push_back({.code = Code::steep_tails,
                        .values = {{"steps", double(t.cut)}, {"of", t.draws}},
                        .remedies = {kHalfTheStep, exact_steps()}});
  }
  if (t.refreshed > 0) {
    findings.push_back({.code = Code::metric_replaced,
                        .values = {{"chains", double(t.refreshed)}, {"of", t.chains}},
                        .remedies = {{"warmup", Change::increase, {}}}});
  }
  judge_unfinished_solves(t, findings);
}

}  // namespace

void judge_sgld(const FitSummary& s, Findings& findings) {
  for (const ChainRecord& c : s.chain_details) {
    if (!c.frozen_by_noise) return;
  }
  const Totals t = totals_of(s);
  if (t.not_frozen > 0) {
    findings.push_back({.code = Code::step_not_frozen,
                        .values = {{"chains", double(t.not_frozen)}, {"of", t.chains}},
                        .remedies = {kMoreProbes, kHigherRank, kSoonerStop}});
  }
  judge_rare_solves(t, findings);
  if (t.cut > 0) {
    findings.push_back({.code = Code::long_drifts,
                        .values = {{"steps", double(t.cut)}, {"of", t.draws}},
                        .remedies = {kHigherRank, kSoonerStop}});
  }
  judge_unfinished_solves(t, findings);
}

void judge_ulisse(const FitSummary& s, Findings& findings) {
  if (!s.setup) return;
  if (s.setup->metric_repaired) {
    findings.push_back(
        {.code = Code::curvature_repaired, .remedies = {kStrongerPriors, exact_steps()}});
  }
  // Exact steps are as right as their chains agree.
  if (s.setup->exact) return;
  if (s.setup->certificate) {
    judge_anchor(*s.setup, findings);
  } else {
    judge_langevin_setup(*s.setup, findings);
    judge_langevin_chains(totals_of(s), findings);
  }
  if (!s.bias) return;
  for (Finding& finding : findings_of(*s.bias)) findings.push_back(std::move(finding));
}

}  // namespace ulisse
