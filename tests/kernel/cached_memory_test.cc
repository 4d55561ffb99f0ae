// What the cached backend keeps at one time.

#include <gtest/gtest.h>

#include "kernel/cached.h"
#include "kernel/tile_memory.h"
#include "support/random_points.h"
#include "ulisse/covariance.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

TEST(TileMemory, GivesNoMoreBlocksThanItMay) {
  const auto memory = std::make_shared<TileMemory>(1000, 2);
  auto first = memory->acquire(), second = memory->acquire();
  EXPECT_TRUE(first && second && first != second);
  EXPECT_FALSE(memory->acquire());
  const double* place = first.get();
  first.reset();
  EXPECT_EQ(memory->acquire().get(), place) << "what is free again is given again";
}

bool is_kept(const std::unique_ptr<const CovarianceOperator>& k) {
  return dynamic_cast<const CachedOperator*>(&k->kernel()) != nullptr;
}

// With fresh probes a run keeps the K at the mode, and took twice the memory it was allowed.
TEST(Cached, MatricesInUseAtOnceStayWithinTheMemoryAllowed) {
  const Index n = 150;
  const Matrix x = normal_matrix(n, 2, 1), v = normal_matrix(n, 3, 2);
  const Kernel kernel = parse_kernel("rbf");
  const Vector mode = Vector::Zero(3), elsewhere = Vector::Constant(3, 0.3);
  for (const int allowed : {1, 2, 3}) {
    const auto covariance = make_covariance(
        kernel, x,
        {.backend = "cached", .memory_bytes = static_cast<std::size_t>(allowed) * cached_bytes(n)});
    const auto at_mode = covariance->at(mode), here = covariance->at(elsewhere);
    EXPECT_TRUE(is_kept(at_mode));
    EXPECT_EQ(is_kept(here), allowed > 1);
    EXPECT_EQ(is_kept(covariance->at(mode)), allowed > 2);
    Matrix product(n, 3), expected(n, 3);
    here->apply(v, product);
    make_covariance(kernel, x, {.backend = "dense"})->at(elsewhere)->apply(v, expected);
    EXPECT_EQ(product, expected) << "the same bits, kept or not";
  }
}

}  // namespace
}  // namespace ulisse
