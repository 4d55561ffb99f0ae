// Subsets of rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>

#include "ulisse/exact.h"

namespace ulisse {
namespace {

TEST(RandomSubset, IsSortedUniqueInRangeAndOfTheRightSize) {
  for (const Index n : {1, 2, 10, 1000}) {
    for (const Index count : {Index(0), Index(1), n / 2, n - 1}) {
      const Indices rows = random_subset(n, count, 7);
      EXPECT_EQ(static_cast<Index>(rows.size()), count);
      EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
      EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
      if (rows.empty()) continue;
      EXPECT_GE(rows.front(), 0);
      EXPECT_LT(rows.back(), n);
    }
  }
}

TEST(RandomSubset, IsEverythingWhenAskedForAllOrMore) {
  const Indices all = {0, 1, 2, 3, 4};
  EXPECT_EQ(random_subset(5, 5, 1), all);
  EXPECT_EQ(random_subset(5, 6, 1), all);
  EXPECT_EQ(random_subset(5, 1'000'000, 1), all);
  EXPECT_TRUE(random_subset(0, 3, 1).empty());
}

TEST(RandomSubset, RepeatsWithItsSeedAndDiffersWithout) {
  EXPECT_EQ(random_subset(1000, 100, 1), random_subset(1000, 100, 1));
  EXPECT_NE(random_subset(1000, 100, 1), random_subset(1000, 100, 2));
}

// Each of the C(6, 3) = 20 subsets as often: chi-square, a false alarm once in a million.
TEST(RandomSubset, EachSubsetIsAsLikely) {
  std::vector<int> counts(64);
  const int draws = 20'000;
  for (int seed = 0; seed < draws; ++seed) {
    std::size_t mask = 0;
    for (const Index row : random_subset(6, 3, static_cast<std::uint64_t>(seed))) {
      mask |= std::size_t{1} << row;
    }
    ++counts[mask];
  }
  double chi_square = 0;
  int subsets = 0;
  for (const int count : counts) {
    if (count == 0) continue;
    ++subsets;
    chi_square += (count - draws / 20.0) * (count - draws / 20.0) / (draws / 20.0);
  }
  EXPECT_EQ(subsets, 20);
  const boost::math::chi_squared distribution(19);
  EXPECT_LT(chi_square, boost::math::quantile(boost::math::complement(distribution, 1e-6)));
}

}  // namespace
}  // namespace ulisse
