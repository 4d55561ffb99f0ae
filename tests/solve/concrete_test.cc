// Conjugate gradients and preconditioners on the Concrete data at their mode.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "solve/concrete_iterations.h"
#include "ulisse/preconditioner.h"

namespace ulisse {
namespace {

using testing::as_matrix;
using testing::concrete_covariance;
using testing::concrete_iterations;
using testing::concrete_right_hand_sides;
using testing::Counts;

LowRankPreconditioner low_rank(const CovarianceOperator& k, Index rank, Pivoting pivoting,
                               std::uint64_t seed = 1) {
  return {pivoted_cholesky(k, {.rank = rank, .pivoting = pivoting, .seed = seed}), k.noise()};
}

// The table has one draw of the probes. It must lie within 10 % or 2 iterations of what 11 draws
// give, and of their median where they differ by less (without a preconditioner they need 37 to 47
// iterations to sqrt(n), with a median of 41).
void expect_iterations(const std::vector<Counts>& counts, const std::vector<int>& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto [lowest, median, highest] = counts[i];
    const double slack = std::max(2.0, 0.1 * table[i]);
    const auto note = fmt::format("limit {}: {} to {}, median {}", i, lowest, highest, median);
    EXPECT_GE(table[i], lowest - slack) << note;
    EXPECT_LE(table[i], highest + slack) << note;
    if (highest - lowest <= 2 * slack) {
      EXPECT_NEAR(median, table[i], slack) << note;
    }
  }
}

// METHOD.md, part C: iterations until all residuals are below (1, 0.1, 0.01) sqrt(n) and 1e-8.
TEST(Concrete, CgTakesTheMeasuredIterations) {
  expect_iterations(concrete_iterations(*concrete_covariance(), nullptr, 11), {46, 87, 128, 449});
}

TEST(Concrete, CgWithGreedyPivotsTakesTheMeasuredIterations) {
  const auto k = concrete_covariance();
  const std::pair<Index, std::vector<int>> table[] = {
      {50, {10, 22, 33, 117}}, {100, {5, 11, 17, 59}}, {200, {1, 4, 6, 22}}};
  for (const auto& [rank, expected] : table) {
    const auto p = low_rank(*k, rank, Pivoting::greedy);
    ASSERT_EQ(p.rank(), rank);
    expect_iterations(concrete_iterations(*k, &p, 11), expected);
  }
}

TEST(Concrete, RandomPivotsAreNearlyAsGoodAsGreedyOnes) {
  const auto k = concrete_covariance();
  for (const Index rank : {50, 100, 200}) {
    const auto greedy = low_rank(*k, rank, Pivoting::greedy);
    const auto greedy_counts = concrete_iterations(*k, &greedy, 3);
    for (const std::uint64_t seed : {1, 2, 3}) {
      const auto random = low_rank(*k, rank, Pivoting::random, seed);
      const auto counts = concrete_iterations(*k, &random, 3);
      // One more where 1.5 times a few iterations is less than that.
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const int allowed = greedy_counts[i].median;
        EXPECT_LE(counts[i].median, std::max(1.5 * allowed, allowed + 1.0))
            << "rank " << rank << ", seed " << seed << ", limit " << i;
      }
    }
  }
}

TEST(Concrete, CgFindsTheSolutionOfCholesky) {
  const auto k = concrete_covariance();
  const Matrix b = concrete_right_hand_sides(1);
  const Matrix expected = as_matrix(*k).llt().solve(b);
  const auto p = low_rank(*k, 100, Pivoting::random);
  for (const LinearOperator* preconditioner :
       {static_cast<const LinearOperator*>(nullptr), static_cast<const LinearOperator*>(&p)}) {
    Matrix x = Matrix::Zero(b.rows(), b.cols());
    EXPECT_EQ(conjugate_gradients(*k, preconditioner, b, x).stop, Stop::converged);
    for (Index c = 0; c < b.cols(); ++c) {
      EXPECT_LT((x.col(c) - expected.col(c)).norm(), 1e-6 * expected.col(c).norm()) << c;
    }
  }
}

TEST(Concrete, RandomPivotsRepeatWithTheirSeedAndDifferWithout) {
  const auto k = concrete_covariance();
  const auto factor = [&](std::uint64_t seed) {
    return pivoted_cholesky(*k, {.rank = 100, .seed = seed});
  };
  const Matrix first = factor(1);
  EXPECT_EQ(factor(1), first);
  EXPECT_NE(factor(2), first);
  EXPECT_NE(factor(1ULL << 40), first);
}

// Products in float, true residuals in double.
TEST(Concrete, MixedPrecisionReachesTheResidualsOfDouble) {
  const auto k = concrete_covariance(), k_float = concrete_covariance("dense-float");
  const Matrix b = concrete_right_hand_sides(1);
  const auto p = low_rank(*k, 100, Pivoting::random);
  for (const LinearOperator* preconditioner :
       {static_cast<const LinearOperator*>(nullptr), static_cast<const LinearOperator*>(&p)}) {
    Matrix x = Matrix::Zero(b.rows(), b.cols()), product(b.rows(), b.cols());
    const auto summary = conjugate_gradients(
        *k_float, preconditioner, b, x,
        {.tolerance = 0, .relative_tolerance = 1e-8, .check_drop = 1e-3, .exact = k.get()});
    EXPECT_EQ(summary.stop, Stop::converged) << to_string(summary.stop) << summary.message;
    k->apply(x, product);
    for (Index c = 0; c < b.cols(); ++c) {
      EXPECT_LT((b.col(c) - product.col(c)).norm(), 1e-8 * b.col(c).norm()) << c;
    }
    EXPECT_LT(5 * summary.exact_products, summary.products) << "float did too little of the work";
  }
}

}  // namespace
}  // namespace ulisse
