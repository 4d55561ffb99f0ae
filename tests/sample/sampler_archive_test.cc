// A chain that is saved and restored goes on bit for bit, whenever that happens.

#include <gtest/gtest.h>

#include "base/archive.h"
#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::advance;
using testing::Banana;
using testing::Density;

void expect_same(const Transition& a, const Transition& b) {
  EXPECT_EQ(a.psi, b.psi);
  EXPECT_EQ(a.log_density, b.log_density);
  EXPECT_EQ(a.accept_stat, b.accept_stat);
  EXPECT_EQ(a.step_size, b.step_size);
  EXPECT_EQ(a.tree_depth, b.tree_depth);
  EXPECT_EQ(a.leapfrogs, b.leapfrogs);
  EXPECT_EQ(a.divergent, b.divergent);
  EXPECT_EQ(a.energy, b.energy);
}

constexpr int kIterations = 400;  // half of them warm-up

// Runs one chain without a break, and another that is saved and restored into a new sampler before
// each iteration that `breaks` names.
template <class Make>
void expect_restored_goes_on(const Make& make, const std::vector<int>& breaks) {
  auto whole = make();
  auto current = make();
  std::size_t next = 0;
  for (int i = 0; i < kIterations; ++i) {
    if (next < breaks.size() && breaks[next] == i) {
      ArchiveWriter writer;
      writer(current);
      auto restored = make();
      ArchiveReader reader(writer.bytes());
      reader(restored);
      reader.finish();
      for (int j = i; j < i + 3; ++j) advance(current, 99, j);  // must not matter any more
      ArchiveWriter again;
      again(restored);
      EXPECT_EQ(again.bytes(), writer.bytes());
      expect_same(advance(whole, 1, i), advance(restored, 1, i));
      ++next;
      // Samplers keep a reference to their target and are not assigned; the state is.
      ArchiveWriter state;
      state(restored);
      ArchiveReader back(state.bytes());
      back(current);
      continue;
    }
    expect_same(advance(whole, 1, i), advance(current, 1, i));
  }
}

// Before the first iteration, within windows, around their ends and those of warm-up, afterwards.
const std::vector<int> kBreaks = {0,   1,   74,  75,  76,  99,  100, 101, 148,
                                  149, 150, 151, 198, 199, 200, 201, 300, 301};

TEST(SamplerArchive, ARestoredNutsGoesOnBitForBit) {
  const Banana target;
  expect_restored_goes_on(
      [&] { return Nuts(target, Vector::Zero(2), Matrix::Identity(2, 2), {.warmup = 200}); },
      kBreaks);
}

TEST(SamplerArchive, ARestoredMetropolisGoesOnBitForBit) {
  const Banana target;
  for (const double walk_share : {0.1, 1.0}) {
    expect_restored_goes_on(
        [&] {
          return Metropolis(target, Vector::Zero(2), Vector{{0, -1}}, Matrix::Identity(2, 2),
                            {.warmup = 200, .walk_share = walk_share});
        },
        kBreaks);
  }
}

TEST(SamplerArchive, ATruncatedArchiveIsAnError) {
  const Banana target;
  const auto make = [&] { return Nuts(target, Vector::Zero(2), Matrix::Identity(2, 2)); };
  auto nuts = make();
  ArchiveWriter writer;
  writer(nuts);
  for (std::size_t size = 0; size < writer.bytes().size(); size += 7) {
    auto restored = make();
    ArchiveReader reader(writer.bytes().substr(0, size));
    EXPECT_THROW(reader(restored), std::runtime_error) << size;
  }
}

}  // namespace
}  // namespace ulisse
