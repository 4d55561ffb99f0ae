#pragma once

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/watch.h"
#include "ulisse/types.h"

namespace ulisse {

// All pairs of bands as a round-robin tournament (the circle method): round 0 has every band with
// itself, and in each later round every band meets one other. `members` of a task are distinct
// within a round, so the tasks of a round can run side by side and update both of their bands.
class PairSchedule {
 public:
  explicit PairSchedule(Index bands) : bands_(bands), seats_(bands + bands % 2) {}

  Index bands() const { return bands_; }
  Index size() const { return bands_ + (seats_ - 1) * (seats_ / 2); }

  struct Task {
    Index round, first, second;  // second == bands() when there is an odd band out
  };
  Task task(Index t) const {
    if (t < bands_) return {0, t, t};
    const Index round = (t - bands_) / (seats_ / 2), slot = (t - bands_) % (seats_ / 2);
    const Index ring = seats_ - 1;
    if (slot == 0) return {round + 1, round % ring, ring};
    return {round + 1, (round + slot) % ring, (round - slot + ring) % ring};
  }

  // Calls f(second) for each task whose first band this is, in their order.
  template <class F>
  void for_each_second(Index first, const F& f) const {
    f(first);
    const Index ring = seats_ - 1;
    for (Index round = 0; round < ring && first < ring; ++round) {
      const Index slot = (first - round + ring) % ring;
      if (slot >= seats_ / 2) continue;
      const Index second = slot == 0 ? ring : (round - slot + ring) % ring;
      if (second < bands_) f(second);
    }
  }

 private:
  Index bands_, seats_;
};

// Which tasks of a pass are done here, where several processes share them.
struct Share {
  Index part = 0, parts = 1;
};

// Keeps watch over tasks that must not throw: what the watch of the calling thread, the only one
// among them that has one, makes of them is thrown when they are over.
class TaskWatch {
 public:
  explicit TaskWatch(Index tasks) : tasks_(tasks) {}

  // False where task t is not to be done.
  bool goes_on(Index t) {
    if (current_watch() != nullptr && !stopped_) look(t);
    return !stopped_;
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void look(Index t) {
    constexpr Index kTasksOfSeconds = 5000;
    try {
      keep_watch();
      if (tasks_ < kTasksOfSeconds) return;
      report_progress([&] { return std::to_string(100 * t / tasks_) + " % of a pass over K"; });
    } catch (...) {
      if (!stopped_.exchange(true)) error_ = std::current_exception();
    }
  }

  Index tasks_;
  std::atomic<bool> stopped_ = false;
  std::exception_ptr error_;
};

// Calls f(i, j) once for each unordered pair of bands, i == j included, on all threads. Two calls
// with a band in common never overlap, and each band sees its calls in the same order whatever the
// number of threads: f may add to data of both bands, and the sums are the same bit for bit.
//
// Tasks are taken in order from one counter, and wait until both bands have finished their earlier
// rounds: no barrier between rounds, and no deadlock, since whatever a task waits for was taken
// before it. f must not throw. Where the calling thread's watch wants the work to stop, no more
// calls are made, and WorkStopped is thrown when all threads have ended.
template <class F>
void for_each_pair(Index bands, const F& f) {
  const PairSchedule schedule(bands);
  const Index seats = bands + bands % 2;
  std::vector<std::atomic<Index>> finished(static_cast<std::size_t>(seats));
  if (seats > bands) finished.back() = 1;  // the empty seat has no pair with itself
  std::atomic<Index> next{0};
  TaskWatch watch(schedule.size());
  const auto wait = [&](Index band, Index round) {
    for (int spin = 0; finished[band].load(std::memory_order_acquire) != round; ++spin) {
      if (spin > 100) std::this_thread::yield();
    }
  };
  const auto work = [&](int) {
    for (Index t = next++; t < schedule.size(); t = next++) {
      const auto [round, i, j] = schedule.task(t);
      wait(i, round);
      if (i != j) wait(j, round);
      if (watch.goes_on(t) && i < bands && j < bands) f(i, j);
      finished[i].fetch_add(1, std::memory_order_release);
      if (i != j) finished[j].fetch_add(1, std::memory_order_release);
    }
  };
  tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), work, tbb::simple_partitioner());
  watch.rethrow();
}

// Calls work(i, j), of what make() returns for each thread, once for each unordered pair of bands
// in the share, i == j included; in any order, and side by side. Pairs taken one after the other
// seldom have a band in common.
template <class Make>
void for_each_pair_of(const Share& share, Index bands, const Make& make) {
  const PairSchedule schedule(bands);
  std::atomic<Index> next{0};
  TaskWatch watch(schedule.size());
  const auto run = [&](int) {
    auto work = make();
    const auto take = [&] { return next++ * share.parts + share.part; };
    for (Index t = take(); t < schedule.size() && watch.goes_on(t); t = take()) {
      const auto [round, i, j] = schedule.task(t);
      if (i < bands && j < bands) work(i, j);
    }
  };
  tbb::parallel_for(0, tbb::this_task_arena::max_concurrency(), run, tbb::simple_partitioner());
  watch.rethrow();
}

}  // namespace ulisse
