#include "sample/run_chains.h"

#include <algorithm>

#include "base/clock.h"
#include "base/side_by_side.h"

namespace ulisse {

namespace {

using Chains = std::vector<std::unique_ptr<Chain>>;

// Transitions of each chain in one round.
using Round = std::vector<std::vector<Transition>>;

Round play(Chains& chains, const RunPlan& plan, const RunState& state, long length) {
  Round round(chains.size());
  const auto run_one = [&](std::size_t c) {
    for (long i = 0; i < length; ++i) {
      Rng rng = stream(plan.seed, static_cast<std::uint32_t>(c), Purpose::transition,
                       static_cast<std::uint64_t>(state.iteration + i));
      round[c].push_back(chains[c]->step(rng));
    }
  };
  if (plan.side_by_side) {
    side_by_side(chains.size(), run_one);
  } else {
    for (std::size_t c = 0; c < chains.size(); ++c) run_one(c);
  }
  return round;
}

// A quarter of a second: short enough to stop and to show progress, long enough that chains of
// unequal speed seldom wait for each other.
long next_length(long last_length, double last_seconds) {
  constexpr double kRound = 0.25;
  const double wanted = static_cast<double>(last_length) * kRound / std::max(last_seconds, 1e-6);
  return std::clamp(static_cast<long>(wanted), 1L, 2 * last_length);
}

long longest_round(const RunPlan& plan, const RunState& state) {
  if (state.warming_up()) return plan.block - state.iteration % plan.block;
  return draws_wanted(plan, state);
}

bool all_warm(const Chains& chains) {
  return std::none_of(chains.begin(), chains.end(), [](const auto& c) { return c->warming_up(); });
}

void end_warmup_if_due(const Chains& chains, const RunPlan& plan, RunState& state,
                       RunObserver& observer) {
  if (!state.warming_up() || state.iteration % plan.block != 0 || !all_warm(chains)) return;
  state.warmup = state.iteration;
  observer.warmup_ended(state);
}

}  // namespace

long draws_wanted(const RunPlan& plan, const RunState& state) {
  const long all = plan.iterations > 0 ? plan.iterations - state.warmup : plan.draws;
  return std::max(0L, all - state.draws());
}

bool run_chains(Chains& chains, const RunPlan& plan, RunState& state, RunObserver& observer) {
  end_warmup_if_due(chains, plan, state, observer);
  long length = 1;
  while (state.warming_up() || draws_wanted(plan, state) > 0) {
    const long taken = std::min(length, longest_round(plan, state));
    const double start = seconds_now();
    const Round round = play(chains, plan, state, taken);
    const double seconds = seconds_now() - start;
    state.iteration += taken;
    (state.warming_up() ? state.warmup_seconds : state.sampling_seconds) += seconds;
    for (int c = 0; c < static_cast<int>(round.size()); ++c) {
      const auto& transitions = round[static_cast<std::size_t>(c)];
      state.warming_up() ? observer.warmup(c, transitions) : observer.draws(c, transitions);
    }
    end_warmup_if_due(chains, plan, state, observer);
    if (!observer.round_ended(state)) return false;
    length = next_length(taken, seconds);
  }
  return true;
}

}  // namespace ulisse
