#include <algorithm>

#include "fit/finding_limits.h"
#include "fit/judge_fit.h"
#include "fit/sampler_kind.h"
#include "ulisse/exact.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

using Code = Finding::Code;
using Change = Finding::Remedy::Change;
using namespace finding_limits;

// Its steps, or chains, are scaled to one mode, and it does not leave that.
bool is_approximate(const FitSummary& s) {
  const SamplerKind* kind = find_sampler_kind(s.sampler);
  return kind != nullptr && !kind->exact;
}

bool swaps_modes(const FitSummary& s) { return s.setup && s.setup->swaps; }

// It goes to one other mode alone.
bool is_there_a_third_mode(const FitSummary& s) {
  return s.other_modes - s.second_mode >= kMinModeShare;
}

// Samplers on stochastic gradients have their steps, and their control variate, from one mode, and
// do not leave it. The others may go from one to the other; draws say whether they did.
bool misses_a_mode(const FitSummary& s) {
  if (s.other_modes < kMinModeShare) return false;
  if (is_approximate(s) && !swaps_modes(s)) return true;
  if (swaps_modes(s) && is_there_a_third_mode(s)) return true;
  // Chains of mh and nuts start at both: the share is that of the starts where chains stay apart.
  const auto apart = [](const diagnose::ParameterSummary& p) { return p.rhat > kRhatFarApart; };
  if (std::any_of(s.parameters.begin(), s.parameters.end(), apart)) return true;
  return s.other_draws < kShareOfDrawsExpected * s.other_modes ||
         1 - s.other_draws < kShareOfDrawsExpected * (1 - s.other_modes);
}

const char* why_it_is_missed(const FitSummary& s) {
  if (!swaps_modes(s)) return "rarely_visited";
  return is_there_a_third_mode(s) ? "third_mode" : "few_swaps";
}

void judge_missed_mode(const FitSummary& s, Findings& findings) {
  if (!misses_a_mode(s)) return;
  Finding missed{.code = Code::mode_missed,
                 .values = {{"share", s.other_modes},
                            {"share_of_draws", s.other_draws},
                            {"sampler", s.sampler},
                            {"why", why_it_is_missed(s)}}};
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    if (s.other_place.size() != static_cast<Index>(s.parameters.size())) break;
    missed.parameters.push_back(
        {s.parameters[j].name, "other_mode", s.other_place(static_cast<Index>(j))});
  }
  if (s.sampler == mode_jumping_sampler()) {
    missed.remedies = {{"draws", Change::increase, {}}};
  } else {
    missed.remedies = {{"sampler", Change::set, mode_jumping_sampler()}};
  }
  missed.remedies.push_back({"priors", Change::strengthen, {}});
  findings.push_back(std::move(missed));
}

// A search may run out of digits next to a mode; ulisse then measures how near.
bool ended_at_a_mode(const FitSummary& s) {
  return s.setup && s.setup->measured_mode_distance && s.setup->mode_distance < kNearMode &&
         !s.setup->metric_repaired;
}

}  // namespace

void judge_modes(const FitSummary& s, Findings& findings) {
  if (!s.mode_converged && is_approximate(s) && !ended_at_a_mode(s)) {
    findings.push_back({.code = Code::mode_not_converged,
                        .remedies = {{"sampler", Change::compare, exact_sampler()}}});
  }
  if (s.setup && s.setup->other_modes_share >= kShareInSubset) {
    findings.push_back(
        {.code = Code::modes_in_subset,
         .values = {{"rows", double(s.setup->searched_rows)},
                    {"share", s.setup->other_modes_share}},
         .remedies = {{"subset", Change::increase, {}}, {"seed", Change::another, {}}}});
  }
  judge_missed_mode(s, findings);
}

}  // namespace ulisse
