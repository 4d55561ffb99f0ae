// The tournament in which bands of the covariance matrix meet.

#include "kernel/pair_schedule.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>

#include "support/random_points.h"
#include "support/thread_counts.h"
#include "support/watches.h"

namespace ulisse {
namespace {

using Pair = std::pair<Index, Index>;

Pair unordered(Index i, Index j) { return {std::min(i, j), std::max(i, j)}; }

TEST(PairSchedule, EachUnorderedPairAppearsOnce) {
  for (Index bands = 1; bands <= 40; ++bands) {
    const PairSchedule schedule(bands);
    std::map<Pair, int> met;
    for (Index t = 0; t < schedule.size(); ++t) {
      const auto task = schedule.task(t);
      ASSERT_GE(std::min(task.first, task.second), 0);
      ASSERT_LE(std::max(task.first, task.second), bands);
      if (std::max(task.first, task.second) < bands) ++met[unordered(task.first, task.second)];
    }
    ASSERT_EQ(static_cast<Index>(met.size()), bands * (bands + 1) / 2) << bands << " bands";
    for (const auto& [pair, times] : met) EXPECT_EQ(times, 1) << pair.first << ", " << pair.second;
  }
}

TEST(PairSchedule, MembersOfARoundAreDisjointAndRoundsRise) {
  for (Index bands = 1; bands <= 40; ++bands) {
    const PairSchedule schedule(bands);
    std::map<Index, std::set<Index>> members;
    Index last_round = 0;
    for (Index t = 0; t < schedule.size(); ++t) {
      const auto [round, first, second] = schedule.task(t);
      EXPECT_GE(round, last_round);
      last_round = round;
      EXPECT_TRUE(members[round].insert(first).second) << bands << " bands, round " << round;
      if (first != second) {
        EXPECT_TRUE(members[round].insert(second).second) << bands << " bands, round " << round;
      }
    }
  }
}

TEST(PairSchedule, SecondBandsOfOneComeInTheOrderOfTheTasks) {
  for (Index bands = 1; bands <= 40; ++bands) {
    const PairSchedule schedule(bands);
    std::vector<std::vector<Index>> expected(static_cast<std::size_t>(bands)), found = expected;
    for (Index t = 0; t < schedule.size(); ++t) {
      const auto [round, first, second] = schedule.task(t);
      if (first < bands && second < bands) expected[first].push_back(second);
    }
    for (Index b = 0; b < bands; ++b) {
      schedule.for_each_second(b, [&](Index second) { found[b].push_back(second); });
    }
    EXPECT_EQ(found, expected) << bands << " bands";
  }
}

// The calls that each band took part in, in their order. f is slowed by an uneven amount, so that
// threads overtake each other; busy flags catch two calls on one band at a time.
std::vector<std::vector<Pair>> calls_of_bands(Index bands) {
  std::vector<std::vector<Pair>> calls(static_cast<std::size_t>(bands));
  std::vector<std::atomic<bool>> busy(static_cast<std::size_t>(bands));
  std::atomic<int> overlaps{0};
  const auto enter = [&](Index band, Pair pair) {
    if (busy[band].exchange(true)) ++overlaps;
    calls[band].push_back(pair);
  };
  for_each_pair(bands, [&](Index i, Index j) {
    enter(i, {i, j});
    if (i != j) enter(j, {i, j});
    if ((7 * i + 13 * j) % 5 == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
    busy[i] = false;
    busy[j] = false;
  });
  EXPECT_EQ(overlaps, 0) << bands << " bands";
  return calls;
}

TEST(PairSchedule, BandsSeeTheirCallsInTheSameOrderOnAnyThreads) {
  for (const Index bands : {1, 2, 3, 4, 9, 16, 31, 40}) {
    const auto run = [&] { return calls_of_bands(bands); };
    const auto expected = testing::on_threads(1, run);
    for (const auto& calls : expected) EXPECT_EQ(static_cast<Index>(calls.size()), bands);
    for (const int count : {2, 8, 8, 8}) {
      EXPECT_EQ(testing::on_threads(count, run), expected)
          << bands << " bands, " << count << " threads";
    }
  }
}

TEST(PairSchedule, NoBandsMeanNoCalls) {
  int calls = 0;
  for_each_pair(0, [&](Index, Index) { ++calls; });
  EXPECT_EQ(calls, 0);
}

// Other threads wait for bands that a task which was given up would never have finished.
TEST(PairSchedule, StopsWhereTheWorkIsNoLongerWanted) {
  const auto calls_until_it_stops = [] {
    testing::StopAfter watch(5);
    const WatchScope scope(watch);
    std::atomic<long> calls = 0;
    const auto take_a_while = [&](Index, Index) {
      ++calls;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    };
    EXPECT_THROW(for_each_pair(300, take_a_while), WorkStopped);
    return calls.load();
  };
  for (const int count : {1, 2, 8}) {
    EXPECT_LT(testing::on_threads(count, calls_until_it_stops), 300 * 301 / 4) << count;
  }
}

}  // namespace
}  // namespace ulisse
