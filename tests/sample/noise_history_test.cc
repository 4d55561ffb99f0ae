#include "sample/noise_history.h"

#include <gtest/gtest.h>

namespace ulisse {
namespace {

TEST(NoiseHistory, KeepsAllOfAShortChain) {
  NoiseHistory history;
  for (long i = 1; i <= 400; ++i) history.add(i, 0.1, 0.01 * static_cast<double>(i));
  ASSERT_EQ(history.iterations.size(), 400u);
  EXPECT_EQ(history.iterations[17], 18);
  EXPECT_EQ(history.ratios[17], 0.01 * 18);
}

TEST(NoiseHistory, ThinsALongOneEvenly) {
  NoiseHistory history;
  for (long i = 1; i <= 100000; ++i) history.add(i, static_cast<double>(i), 0);
  EXPECT_LE(history.iterations.size(), 400u);
  EXPECT_GT(history.iterations.size(), 150u);
  EXPECT_EQ(history.iterations[0], 1);
  EXPECT_GT(history.iterations.back(), 99000);
  for (std::size_t i = 1; i < history.iterations.size(); ++i) {
    EXPECT_EQ(history.iterations[i] - history.iterations[i - 1], history.every);
    EXPECT_EQ(history.steps[i], static_cast<double>(history.iterations[i]));
  }
}

}  // namespace
}  // namespace ulisse
