// A chain that is saved and restored goes on bit for bit, whenever that happens.

#include <gtest/gtest.h>

#include "base/archive.h"
#include "sample/corrected.h"
#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "sample/swapping.h"
#include "support/chains.h"
#include "support/densities.h"

namespace ulisse {
namespace {

using testing::advance;
using testing::Banana;

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

// Before the first iteration, within windows, around their ends and those of warm-up, afterwards.
constexpr int kBreaks[] = {0,   1,   74,  75,  76,  99,  100, 101, 148,
                           149, 150, 151, 198, 199, 200, 201, 300};

template <Sampler S>
void restore(S& from, S& to) {
  ArchiveWriter writer;
  writer(from);
  ArchiveReader reader(writer.bytes());
  reader(to);
  reader.finish();
}

// One chain without a break, and for each break a chain that ends there and another that goes on.
template <class Make>
void expect_restored_goes_on(const Make& make) {
  auto whole = make();
  std::vector<Transition> expected;
  expected.reserve(kIterations);
  for (int i = 0; i < kIterations; ++i) expected.push_back(advance(whole, 1, i));
  for (const int stop : kBreaks) {
    auto interrupted = make(), restored = make();
    for (int i = 0; i < stop; ++i) advance(interrupted, 1, i);
    restore(interrupted, restored);
    for (int i = stop; i < kIterations; ++i) {
      expect_same(advance(restored, 1, i), expected[static_cast<std::size_t>(i)]);
    }
  }
}

TEST(SamplerArchive, ARestoredNutsGoesOnBitForBit) {
  const Banana target;
  expect_restored_goes_on(
      [&] { return Nuts(target, Vector::Zero(2), Matrix::Identity(2, 2), {.warmup = 200}); });
}

// In coordinates that are the parameters themselves.
class PlainBanana : public Banana {
 public:
  static Vector psi(const Vector& u) { return u; }
  static double of_psi(const Vector& /*u*/, double log_density) { return log_density; }
};

TEST(SamplerArchive, ARestoredSwappingGoesOnBitForBit) {
  const PlainBanana target;
  const Matrix unit = Matrix::Identity(2, 2);
  expect_restored_goes_on([&] {
    return Swapping(Nuts(target, Vector::Zero(2), unit, {.warmup = 200, .learns_metric = false}),
                    std::optional(ModeSwap(Vector{{1, 0}}, unit, Vector{{-1, 0}}, unit)), target);
  });
}

TEST(SamplerArchive, ARestoredMetropolisGoesOnBitForBit) {
  const Banana target;
  for (const double walk_share : {0.1, 1.0}) {
    expect_restored_goes_on([&] {
      return Metropolis(target, Vector::Zero(2), Vector{{0, -1}}, Matrix::Identity(2, 2),
                        {.warmup = 200, .walk_share = walk_share});
    });
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

struct Proposing : Banana {
  Vector psi(const Vector& v) const { return v; }
  double of_psi(const Vector& /*v*/, double log_density) const { return log_density; }
};

TEST(SamplerArchive, CorrectedStepsGoOnBitForBit) {
  const Proposing surrogate{};
  const Banana target;
  expect_restored_goes_on([&] {
    Nuts<Proposing> proposer(surrogate, Vector::Zero(2), Matrix::Identity(2, 2),
                             {.warmup = 300, .learns_metric = false});
    return Corrected(std::move(proposer), surrogate, target,
                     CorrectedOptions{.warmup = 160, .proposer_steps = 2});
  });
}

}  // namespace
}  // namespace ulisse
