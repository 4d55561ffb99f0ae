// Streams of random numbers: what tells them apart, and that they repeat.

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "support/thread_counts.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

std::vector<std::uint64_t> first_bits(Rng rng, int count = 5) {
  std::vector<std::uint64_t> bits;
  for (int i = 0; i < count; ++i) bits.push_back(rng.bits());
  return bits;
}

TEST(Rng, AStreamRepeatsItself) {
  EXPECT_EQ(first_bits(stream(7, 3, Purpose::probes, 11), 1000),
            first_bits(stream(7, 3, Purpose::probes, 11), 1000));
  Rng one = stream(7, 3, Purpose::probes, 11), other = stream(7, 3, Purpose::probes, 11);
  EXPECT_EQ(one.normal_vector(99), other.normal_vector(99));
  EXPECT_EQ(one.rademacher_vector(99), other.rademacher_vector(99));
  EXPECT_EQ(one.below(1000), other.below(1000));
}

TEST(Rng, SeedChainPurposeAndIterationEachMakeAnotherStream) {
  std::set<std::vector<std::uint64_t>> streams;
  int count = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 1ULL << 32, ~0ULL}) {
    for (const std::uint32_t chain : {0U, 1U, 2U, ~0U}) {
      for (const Purpose purpose :
           {Purpose::pivots, Purpose::probes, Purpose::subset, Purpose::simulation}) {
        for (const std::uint64_t iteration : {0ULL, 1ULL, 2ULL, 1ULL << 32, ~0ULL}) {
          streams.insert(first_bits(stream(seed, chain, purpose, iteration)));
          ++count;
        }
      }
    }
  }
  EXPECT_EQ(static_cast<int>(streams.size()), count);
}

// The numbers of one iteration must not be those of the next one moved along.
TEST(Rng, NeighbouringIterationsShareNoNumbers) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t iteration = 0; iteration < 100; ++iteration) {
    for (const auto bits : first_bits(stream(1, 0, Purpose::probes, iteration), 100)) {
      seen.insert(bits);
    }
  }
  EXPECT_EQ(seen.size(), 10'000U);  // a repetition by chance: 3e-12
}

TEST(Rng, AStreamDoesNotRepeatAfterItsFirstNumbers) {
  Rng rng = stream(1, 0, Purpose::probes);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100'000; ++i) seen.insert(rng.bits());
  EXPECT_EQ(seen.size(), 100'000U);  // a repetition by chance: 3e-10
}

TEST(Rng, DrawingFromOneStreamDoesNotMoveAnother) {
  Rng a = stream(1, 0, Purpose::probes), b = stream(1, 0, Purpose::pivots);
  const auto alone = first_bits(stream(1, 0, Purpose::pivots));
  a.normal_vector(17);
  std::vector<std::uint64_t> beside;
  for (int i = 0; i < 5; ++i) {
    beside.push_back(b.bits());
    a.uniform();
  }
  EXPECT_EQ(beside, alone);
}

// A seed in a user's notes must mean the same run tomorrow: change this only with a line in the
// CHANGELOG. The numbers are those of version 0.1.0.
TEST(Rng, SeedsKeepTheirMeaning) {
  EXPECT_EQ(first_bits(stream(1, 0, Purpose::probes), 2),
            (std::vector<std::uint64_t>{14789827114598373192ULL, 5878439318729683711ULL}));
  EXPECT_EQ(first_bits(stream(42, 3, Purpose::pivots, 7), 2),
            (std::vector<std::uint64_t>{16033723939237840150ULL, 706561402217065200ULL}));
}

// However many numbers were taken before, and on any number of threads.
TEST(Rng, AVectorOfNormalsIsOneNormalAfterTheOther) {
  constexpr Index kCount = 20'001;
  for (const int before : {0, 1, 2}) {
    const auto begun = [&] {
      Rng rng = stream(5, 1, Purpose::probes);
      for (int i = 0; i < before; ++i) rng.normal();
      return rng;
    };
    Rng one = begun();
    Vector expected(kCount);
    for (double& value : expected) value = one.normal();
    testing::expect_same_bits_on_any_threads([&] { return begun().normal_vector(kCount); });
    Rng all = begun();
    EXPECT_EQ(all.normal_vector(kCount), expected) << before;
    EXPECT_EQ(all.normal(), one.normal()) << before;
    EXPECT_EQ(all.bits(), one.bits()) << before;
  }
  Rng odd = stream(5, 1, Purpose::probes), same = odd;
  EXPECT_EQ(odd.bits(), same.bits());
  const Vector rest = odd.normal_vector(kCount);
  for (const double value : rest) ASSERT_EQ(value, same.normal());
}

TEST(Rng, BelowStaysInRange) {
  Rng rng = stream(2, 0, Purpose::subset);
  for (const Index limit : {Index(1), Index(2), Index(3), Index(1000), Index(1) << 40,
                            std::numeric_limits<Index>::max()}) {
    for (int i = 0; i < 1000; ++i) {
      const Index drawn = rng.below(limit);
      ASSERT_GE(drawn, 0) << limit;
      ASSERT_LT(drawn, limit);
    }
  }
}

}  // namespace
}  // namespace ulisse
