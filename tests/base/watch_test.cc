// What long work says of itself, and how it is stopped.

#include "base/watch.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <thread>

#include "base/blas.h"
#include "support/watches.h"

namespace ulisse {
namespace {

using testing::Listening;
using testing::StopAfter;

TEST(Watch, WithoutOneNothingStops) {
  EXPECT_EQ(current_watch(), nullptr);
  EXPECT_NO_THROW(keep_watch());
  EXPECT_NO_THROW(keep_watch([]() -> std::string { throw std::logic_error("words for nobody"); }));
}

TEST(Watch, IsThatOfItsThreadAndOfItsScope) {
  Listening outer, inner;
  const WatchScope scope(outer);
  {
    const WatchScope nested(inner);
    EXPECT_EQ(current_watch(), &inner);
    std::thread([] { EXPECT_EQ(current_watch(), nullptr); }).join();
  }
  EXPECT_EQ(current_watch(), &outer);
}

TEST(Watch, StepsStandBeforeTheWordsOfWhatTheyConsistOf) {
  Listening watch;
  const WatchScope scope(watch);
  WatchStep gradient;
  for (int i = 1; i <= 2; ++i) {
    gradient.say([&] { return "gradient " + std::to_string(i); });
    WatchStep side;
    side.say([] { return "right side 1"; });
    keep_watch([] { return "iteration 7"; });
  }
  keep_watch([] { return "the end"; });
  EXPECT_EQ(watch.shown,
            (std::vector<std::string>{
                "gradient 1", "gradient 1, right side 1", "gradient 1, right side 1, iteration 7",
                "gradient 2", "gradient 2, right side 1", "gradient 2, right side 1, iteration 7",
                "gradient 2, the end"}));
}

TEST(Watch, StopsWorkOnAllThreads) {
  StopAfter watch(3);
  const WatchScope scope(watch);
  std::atomic<int> pieces = 0;
  EXPECT_THROW(parallel_pieces(100'000, 1,
                               [&](Index, Index) {
                                 ++pieces;
                                 std::this_thread::sleep_for(std::chrono::microseconds(100));
                               }),
               WorkStopped);
  EXPECT_LT(pieces, 50'000);
}

}  // namespace
}  // namespace ulisse
