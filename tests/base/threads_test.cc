// The limit on threads.

#include "ulisse/threads.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <mutex>
#include <set>
#include <thread>

namespace ulisse {
namespace {

std::size_t threads_that_work() {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  tbb::parallel_for(
      0, 200,
      [&](int) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
      },
      tbb::simple_partitioner());
  return seen.size();
}

TEST(Threads, TheLimitIsWhatWasAskedFor) {
  for (const int count : {1, 2, 3, 8}) {
    set_threads(count);
    EXPECT_EQ(threads(), count);
  }
  set_threads(0);
}

TEST(Threads, ZeroMeansOneForEachCore) {
  set_threads(1);
  set_threads(0);
  EXPECT_EQ(threads(), tbb::info::default_concurrency());
}

TEST(Threads, NoMoreThreadsWorkThanAllowed) {
  for (const int count : {1, 2}) {
    set_threads(count);
    EXPECT_LE(threads_that_work(), static_cast<std::size_t>(count));
  }
  set_threads(0);
}

TEST(Threads, ANegativeNumberIsRefusedAndChangesNothing) {
  set_threads(2);
  EXPECT_THROW(set_threads(-1), std::invalid_argument);
  EXPECT_EQ(threads(), 2);
  set_threads(0);
}

}  // namespace
}  // namespace ulisse
