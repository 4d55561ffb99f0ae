#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sample/chain.h"

namespace ulisse {

struct RunPlan {
  std::uint64_t seed = 1;
  long draws = 1000;    // of each chain, after warm-up
  long iterations = 0;  // in all, warm-up included, instead of `draws`; 0: no such limit
  long block = 100;     // warm-up ends at a multiple of this, for all chains together
  // Chains side by side on one thread each; else one after the other on all threads, which is
  // better when one iteration keeps all of them busy or much memory.
  bool side_by_side = true;
};

// How far a run has come. All chains have done the same number of iterations.
struct RunState {
  long iteration = 0;
  long warmup = -1;  // iterations it took; -1: not over yet
  double warmup_seconds = 0, sampling_seconds = 0;

  bool warming_up() const { return warmup < 0; }
  long draws() const { return warming_up() ? 0 : iteration - warmup; }

  template <class A>
  void archive(A& a) {
    a(iteration, warmup, warmup_seconds, sampling_seconds);
  }
};

// Called between rounds, when no chain is moving: the time to write and to save.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void warmup(int chain, std::span<const Transition> iterations) = 0;
  virtual void warmup_ended(const RunState& state) = 0;
  virtual void draws(int chain, std::span<const Transition> draws) = 0;
  // After each round. False ends the run.
  virtual bool round_ended(const RunState& state) = 0;
};

// Draws that are still to be made when warm-up is over.
long draws_wanted(const RunPlan& plan, const RunState& state);

// Runs chains from `state` on until the plan is done (true) or the observer ends it (false). What a
// chain does depends on the seed, its number and the iteration alone. Chains run under the calling
// thread's watch, which all of them share: where it wants a stop within a round, WorkStopped is
// thrown, `state` is that of the last round, and the chains are of no further use until they are
// loaded again.
bool run_chains(std::vector<std::unique_ptr<Chain>>& chains, const RunPlan& plan, RunState& state,
                RunObserver& observer);

}  // namespace ulisse
