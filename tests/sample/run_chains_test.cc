// Several chains, in rounds.

#include "sample/run_chains.h"

#include <gtest/gtest.h>

#include <map>

#include "base/watch.h"
#include "support/thread_counts.h"
#include "support/watches.h"

namespace ulisse {
namespace {

// A walk that is warm after so many iterations.
class Walk {
 public:
  explicit Walk(int warmup) : warmup_(warmup), psi_(Vector::Zero(1)) {}
  Transition step(Rng& rng) {
    psi_(0) += rng.normal();
    ++iteration_;
    return {.psi = psi_, .log_density = 0, .accept_stat = 1, .step_size = 1, .energy = 0};
  }
  bool warming_up() const { return iteration_ < warmup_; }
  static double step_size() { return 1; }
  template <class A>
  void archive(A& a) {
    a(iteration_, psi_);
  }

 private:
  int warmup_, iteration_ = 0;
  Vector psi_;
};

std::vector<std::unique_ptr<Chain>> walks(const std::vector<int>& warmups) {
  std::vector<std::unique_ptr<Chain>> chains;
  chains.reserve(warmups.size());
  for (const int w : warmups) chains.push_back(std::make_unique<ChainOf<Walk>>(w));
  return chains;
}

class Recorder : public RunObserver {
 public:
  explicit Recorder(long stop_at = -1) : stop_at_(stop_at) {}
  void warmup(int chain, std::span<const Transition> all) override {
    for (const Transition& t : all) before[chain].push_back(t.psi(0));
  }
  void warmup_ended(const RunState& state) override { length = state.warmup; }
  void draws(int chain, std::span<const Transition> all) override {
    for (const Transition& t : all) kept[chain].push_back(t.psi(0));
  }
  bool round_ended(const RunState& state) override {
    return stop_at_ < 0 || state.iteration < stop_at_;
  }

  long length = -1;  // of warm-up
  std::map<int, std::vector<double>> before, kept;

 private:
  long stop_at_;
};

TEST(RunChains, WarmUpEndsForAllTogetherAtTheEndOfABlock) {
  auto chains = walks({130, 10, 250});
  Recorder recorder;
  RunState state;
  EXPECT_TRUE(run_chains(chains, {.draws = 50, .block = 100}, state, recorder));
  EXPECT_EQ(recorder.length, 300);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(recorder.before[c].size(), 300u);
  EXPECT_EQ(state.iteration, 350);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(recorder.kept[c].size(), 50u);
}

TEST(RunChains, WithoutWarmUpEveryDrawIsKept) {
  auto chains = walks({0, 0});
  Recorder recorder;
  RunState state;
  run_chains(chains, {.draws = 20}, state, recorder);
  EXPECT_EQ(recorder.length, 0);
  EXPECT_EQ(recorder.kept[1].size(), 20u);
}

TEST(RunChains, IterationsInAllLeaveWhatWarmUpDoesNotTake) {
  auto chains = walks({100});
  Recorder recorder;
  RunState state;
  run_chains(chains, {.iterations = 170}, state, recorder);
  EXPECT_EQ(recorder.kept[0].size(), 70u);
}

TEST(RunChains, SideBySideOrOneAfterTheOtherAndAnyThreadsGiveTheSameDraws) {
  const auto run = [](bool side_by_side) {
    auto chains = walks({5, 5, 5, 5});
    Recorder recorder;
    RunState state;
    run_chains(chains, {.draws = 200, .block = 10, .side_by_side = side_by_side}, state, recorder);
    return recorder.kept;
  };
  const auto expected = run(false);
  EXPECT_EQ(run(true), expected);
  for (const int count : {1, 2, 8}) {
    EXPECT_EQ(testing::on_threads(count, [&] { return run(true); }), expected) << count;
  }
}

TEST(RunChains, AStoppedRunGoesOnAsIfItHadNot) {
  auto whole = walks({37, 12});
  Recorder expected;
  RunState state;
  const RunPlan plan{.draws = 300, .block = 50};
  run_chains(whole, plan, state, expected);
  for (const long stop : {1L, 20L, 50L, 60L, 200L}) {
    auto chains = walks({37, 12});
    Recorder first(stop);
    RunState reached;
    EXPECT_FALSE(run_chains(chains, plan, reached, first)) << stop;
    ArchiveWriter writer;
    writer(reached);
    for (auto& chain : chains) chain->save(writer);
    auto restored = walks({37, 12});
    ArchiveReader reader(writer.bytes());
    RunState again;
    reader(again);
    for (auto& chain : restored) chain->load(reader);
    Recorder second;
    EXPECT_TRUE(run_chains(restored, plan, again, second)) << stop;
    for (const int c : {0, 1}) {
      auto all = first.kept[c];
      all.insert(all.end(), second.kept[c].begin(), second.kept[c].end());
      EXPECT_EQ(all, expected.kept[c]) << stop;
    }
  }
}

TEST(RunChains, ChainsHaveStreamsOfTheirOwn) {
  auto chains = walks({0, 0});
  Recorder recorder;
  RunState state;
  run_chains(chains, {.draws = 3}, state, recorder);
  EXPECT_NE(recorder.kept[0][0], recorder.kept[1][0]);
}

// A walk whose steps look at the watch, as those that take long do.
class WatchedWalk : public Walk {
 public:
  using Walk::Walk;
  Transition step(Rng& rng) {
    keep_watch();
    return Walk::step(rng);
  }
};

TEST(RunChains, AnInterruptWithinARoundStopsChainsOnEveryThread) {
  for (const bool side_by_side : {true, false}) {
    std::vector<std::unique_ptr<Chain>> chains;
    for (int c = 0; c < 4; ++c) chains.push_back(std::make_unique<ChainOf<WatchedWalk>>(0));
    Recorder recorder;
    RunState state;
    testing::StopAfter watch(1000);
    const WatchScope scope(watch);
    EXPECT_THROW(
        run_chains(chains, {.draws = 1'000'000'000, .side_by_side = side_by_side}, state, recorder),
        WorkStopped);
    for (const auto& [chain, kept] : recorder.kept) {
      EXPECT_EQ(static_cast<long>(kept.size()), state.draws()) << "only whole rounds are told";
    }
    EXPECT_LE(4 * state.draws(), 1000);
  }
}

}  // namespace
}  // namespace ulisse
