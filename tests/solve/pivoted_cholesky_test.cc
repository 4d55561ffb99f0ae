// Partial Cholesky factors of K without its noise, for both ways to choose pivots.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solve/signal_matrix.h"
#include "support/concrete.h"
#include "support/random_points.h"
#include "support/thread_counts.h"
#include "ulisse/preconditioner.h"

namespace ulisse {
namespace {

using testing::covariance;
using testing::expect_same_bits_on_any_threads;
using testing::normal_matrix;
using testing::signal;
using testing::trace_error;

class PivotedCholesky : public ::testing::TestWithParam<Pivoting> {
 protected:
  Matrix factor(const CovarianceOperator& k, Index rank, std::uint64_t seed = 1) const {
    return pivoted_cholesky(k, {.rank = rank, .pivoting = GetParam(), .seed = seed});
  }
};

// Also for n below and around the block of 48 columns.
TEST_P(PivotedCholesky, FullRankReproducesTheMatrix) {
  for (const Index n : {1, 2, 5, 47, 48, 49, 97, 130}) {
    const auto k = covariance(normal_matrix(n, 3, 1), 1.7, 2, "matern12");
    const Matrix expected = signal(*k), l = factor(*k, n);
    EXPECT_EQ(l.cols(), n);
    EXPECT_LT((l * l.transpose() - expected).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
}

TEST_P(PivotedCholesky, TheRankIsWhatWasAskedForAndAtMostTheSize) {
  const auto k = covariance(normal_matrix(100, 3, 2), 1, 1, "matern12");
  for (const Index rank : {0, 1, 47, 48, 49, 99, 100}) EXPECT_EQ(factor(*k, rank).cols(), rank);
  EXPECT_EQ(factor(*k, 1000).cols(), 100);
  EXPECT_EQ(factor(*k, 1000).rows(), 100);
}

TEST_P(PivotedCholesky, WhatIsLeftIsPositiveSemidefinite) {
  const auto k = covariance(normal_matrix(150, 2, 3), 2, 0.7);
  const Matrix full = signal(*k);
  for (const Index rank : {1, 10, 60, 150}) {
    const Matrix l = factor(*k, rank), left = full - l * l.transpose();
    EXPECT_GT(left.diagonal().minCoeff(), -1e-12) << rank;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(left, Eigen::EigenvaluesOnly);
    EXPECT_GT(solver.eigenvalues().minCoeff(), -1e-10) << rank;
  }
}

TEST_P(PivotedCholesky, TheTraceErrorFallsWithTheRank) {
  const auto k = covariance(normal_matrix(200, 3, 4), 1.3, 0.5);
  const Matrix full = signal(*k);
  double last = full.trace();
  for (const Index rank : {1, 3, 10, 30, 60, 120}) {
    const double error = trace_error(full, factor(*k, rank));
    EXPECT_LT(error, last) << rank;
    EXPECT_GT(error, 0) << rank;
    last = error;
  }
}

// 60 points, each three times: rank 60 at most.
TEST_P(PivotedCholesky, DuplicatesEndItEarlyWithoutNan) {
  const Matrix distinct = normal_matrix(60, 3, 6);
  const Matrix x = distinct.replicate(3, 1);
  for (const char* kernel : {"rbf", "matern12", "matern32", "matern52"}) {
    const auto k = covariance(x, 1, 3, kernel);
    const Matrix l = factor(*k, 180);
    EXPECT_TRUE(l.allFinite());
    EXPECT_LE(l.cols(), 60) << kernel;
    EXPECT_LT((l * l.transpose() - signal(*k)).cwiseAbs().maxCoeff(), 1e-11) << kernel;
  }
}

// All points at one place, or nearly so: a matrix of rank one, or a few.
TEST_P(PivotedCholesky, AHugeLengthScaleEndsItEarlyWithoutNan) {
  const Matrix x = normal_matrix(100, 3, 7);
  for (const auto& [tau, most] :
       {std::pair{1e-300, Index(1)}, std::pair{1e-20, Index(1)}, std::pair{1e-8, Index(12)}}) {
    const auto k = covariance(x, 1, tau);
    const Matrix l = factor(*k, 100);
    EXPECT_TRUE(l.allFinite());
    EXPECT_GE(l.cols(), 1);
    EXPECT_LE(l.cols(), most) << tau;
    EXPECT_LT((l * l.transpose() - signal(*k)).cwiseAbs().maxCoeff(), 1e-11) << tau;
  }
}

TEST_P(PivotedCholesky, ASmoothKernelEndsBeforeRoundingTakesOver) {
  const auto k = covariance(normal_matrix(300, 1, 8), 5, 1);
  const Matrix l = factor(*k, 300);
  EXPECT_LT(l.cols(), 60);
  EXPECT_LT((l * l.transpose() - signal(*k)).cwiseAbs().maxCoeff(), 1e-10);
}

TEST_P(PivotedCholesky, ANegativeRankIsRefused) {
  const auto k = covariance(normal_matrix(10, 1, 9), 1, 1);
  EXPECT_THROW(factor(*k, -1), std::invalid_argument);
}

TEST_P(PivotedCholesky, ThreadsDoNotChangeASingleBit) {
  const auto k = covariance(normal_matrix(1200, 3, 10), 1, 0.5);
  expect_same_bits_on_any_threads([&] { return factor(*k, 100); });
}

std::string case_name(const ::testing::TestParamInfo<Pivoting>& info) {
  return info.param == Pivoting::greedy ? "greedy" : "random";
}

INSTANTIATE_TEST_SUITE_P(All, PivotedCholesky,
                         ::testing::Values(Pivoting::greedy, Pivoting::random), case_name);

// After the first column the largest diagonal left belongs to the point farthest from the first.
TEST_P(PivotedCholesky, InFloatItEndsBeforeTheNoiseOfFloatTakesOver) {
  const Matrix x = normal_matrix(400, 3, 12);
  const Vector psi = (Vector(3) << 0, std::log(0.02), std::log(0.1)).finished();
  const auto k = make_covariance(parse_kernel("rbf"), x, {.backend = "dense-float"})->at(psi);
  const auto exact = make_covariance(parse_kernel("rbf"), x, {.backend = "dense"})->at(psi);
  const Matrix l = pivoted_cholesky(*k, {.rank = 300, .pivoting = GetParam()});
  Matrix s = testing::as_matrix(*exact);
  s.diagonal().array() -= 0.1;
  EXPECT_LT((s - l * l.transpose()).cwiseAbs().maxCoeff(), 4 * k->error_bound());
}

TEST(GreedyPivots, TakeTheLargestOfTheDiagonalThatIsLeft) {
  Matrix x(5, 1);
  x << 0, 0.1, 3, 0.2, 1;
  const auto k = covariance(x, 2, 1);
  const Matrix l = pivoted_cholesky(*k, {.rank = 3, .pivoting = Pivoting::greedy});
  Vector left = Vector::Constant(5, 2);
  for (Index c = 0; c < 3; ++c) {
    Index pivot = 0;
    left.maxCoeff(&pivot);
    EXPECT_EQ(pivot, (Indices{0, 2, 4})[c]);
    EXPECT_NEAR(l(pivot, c), std::sqrt(left(pivot)), 1e-12);
    left -= l.col(c).cwiseAbs2();
  }
}

}  // namespace
}  // namespace ulisse
