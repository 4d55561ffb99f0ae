// Draws that are looked at while a run goes on.

#include "fit/thinned_draws.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ulisse {
namespace {

// Chain c's i-th draw of parameter j is 1000000 c + 10 i + j.
Matrix draws_of(int chain, Index from, Index count) {
  return Matrix::NullaryExpr(count, 2, [&](Index i, Index j) {
    return 1e6 * chain + 10.0 * static_cast<double>(from + i) + static_cast<double>(j);
  });
}

TEST(ThinnedDraws, FewAreAllKept) {
  ThinnedDraws draws(2, 2);
  for (const int c : {0, 1}) draws.add(c, draws_of(c, 0, 50));
  for (const int c : {0, 1}) draws.add(c, draws_of(c, 50, 30));
  const auto& kept = draws.by_parameter();
  ASSERT_EQ(kept.size(), 2u);
  for (const int j : {0, 1}) {
    ASSERT_EQ(kept[j].rows(), 80);
    for (const int c : {0, 1}) EXPECT_EQ(kept[j].col(c), draws_of(c, 0, 80).col(j));
  }
}

TEST(ThinnedDraws, DrawsAreOnTheNaturalScale) {
  ThinnedDraws draws(1, 1);
  const Transition one{.psi = Vector::Constant(1, std::log(3.0)),
                       .log_density = 0,
                       .accept_stat = 1,
                       .step_size = 1,
                       .energy = 0};
  draws.add(0, std::vector<Transition>{one, one});
  EXPECT_EQ(draws.by_parameter()[0].rows(), 2);
  EXPECT_DOUBLE_EQ(draws.by_parameter()[0](1, 0), 3);
}

// Progress took half the time after a minute, since it looked at every draw there was.
TEST(ThinnedDraws, ManyDrawsAreLookedAtNoLongerThanFew) {
  ThinnedDraws draws(2, 3);
  for (Index from = 0; from < 100'000; from += 1000) {
    for (const int c : {0, 1, 2}) draws.add(c, draws_of(c, from, 1000));
    const auto& kept = draws.by_parameter();
    ASSERT_LE(kept[0].rows(), ThinnedDraws::kMost);
    ASSERT_GE(kept[0].rows(), std::min<Index>(from + 1000, ThinnedDraws::kMost / 2));
    // Evenly over the whole run, and the same iterations of every chain and parameter.
    for (const int c : {0, 1, 2}) {
      for (const int j : {0, 1}) {
        for (const Index i : {Index(0), Index(1), kept[j].rows() - 1}) {
          ASSERT_EQ(kept[j](i, c), draws_of(c, i * draws.stride(), 1)(0, j));
        }
      }
    }
    ASSERT_GT((kept[0].rows() + 1) * draws.stride(), from);
  }
  EXPECT_GT(draws.stride(), 1);
}

}  // namespace
}  // namespace ulisse
