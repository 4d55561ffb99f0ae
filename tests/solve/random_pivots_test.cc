// Randomly pivoted Cholesky: its law, and how close it comes to the best factor of its rank.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solve/signal_matrix.h"
#include "support/random_points.h"
#include "support/statistics.h"
#include "ulisse/preconditioner.h"

namespace ulisse {
namespace {

using testing::covariance;
using testing::kOneInAMillion;
using testing::normal_matrix;
using testing::signal;
using testing::trace_error;

Matrix factor(const CovarianceOperator& k, Index rank, std::uint64_t seed) {
  return pivoted_cholesky(k, {.rank = rank, .pivoting = Pivoting::random, .seed = seed});
}

TEST(RandomPivots, DifferBySeedAndRepeat) {
  const auto k = covariance(normal_matrix(200, 2, 11), 1, 1);
  EXPECT_EQ(factor(*k, 20, 5), factor(*k, 20, 5));
  EXPECT_NE(factor(*k, 20, 5), factor(*k, 20, 6));
}

// The textbook: one pivot at a time, in proportion to the diagonal that is left. Returns the trace
// error.
double one_at_a_time(Matrix left, Index rank, Rng& rng) {
  for (Index c = 0; c < rank; ++c) {
    const Vector weights = left.diagonal().cwiseMax(0);
    double at = rng.uniform() * weights.sum();
    Index pivot = 0;
    for (; pivot + 1 < left.rows() && at >= weights(pivot); ++pivot) at -= weights(pivot);
    const Vector column = left.col(pivot) / std::sqrt(left(pivot, pivot));
    left -= column * column.transpose();
  }
  return left.trace();
}

double variance_of_mean(const Vector& v) {
  const auto n = static_cast<double>(v.size());
  return (v.array() - v.mean()).square().sum() / (n * (n - 1));
}

// Points in clusters of unequal sizes, where weights change much within a block of 48. 300 factors
// of each kind, ranks within a block and beyond it; a false alarm once in a million for each.
TEST(RandomPivots, BlocksKeepTheLawOfDrawingOneAtATime) {
  Matrix x = normal_matrix(120, 2, 1);
  x.topRows(70) *= 0.05;
  const auto k = covariance(x, 1, 0.5, "matern32");
  const Matrix full = signal(*k);
  for (const Index rank : {5, 20, 60}) {
    Vector blocked(300), plain(300);
    Rng rng = stream(2, 0, Purpose::simulation, static_cast<std::uint64_t>(rank));
    for (Index i = 0; i < 300; ++i) {
      blocked(i) = std::log(trace_error(full, factor(*k, rank, static_cast<std::uint64_t>(i))));
      plain(i) = std::log(one_at_a_time(full, rank, rng));
    }
    const double error = std::sqrt(variance_of_mean(blocked) + variance_of_mean(plain));
    EXPECT_LT(std::abs(blocked.mean() - plain.mean()) / error, kOneInAMillion)
        << "rank " << rank << ": " << blocked.mean() << " and " << plain.mean();
  }
}

// At equal rank. On the rbf kernel, whose eigenvalues fall faster than any power, the best factor
// of rank 40 is 7 times better; such ranks are past all use.
TEST(RandomPivots, TheTraceErrorIsCloseToTheBestOfItsRank) {
  const auto k = covariance(normal_matrix(200, 2, 3), 1, 0.5, "matern32");
  const Matrix full = signal(*k);
  const Vector rising =
      Eigen::SelfAdjointEigenSolver<Matrix>(full, Eigen::EigenvaluesOnly).eigenvalues();
  for (const Index rank : {5, 10, 20, 40, 80}) {
    const double best = rising.head(200 - rank).sum();
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      sum += trace_error(full, factor(*k, rank, seed));
    }
    EXPECT_LT(sum / 10, 3 * best) << rank;
    EXPECT_GT(sum / 10, best * (1 - 1e-9)) << "better than the best";
  }
}

}  // namespace
}  // namespace ulisse
