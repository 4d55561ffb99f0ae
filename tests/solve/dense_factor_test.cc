// Cholesky factor and inverse on all threads, against Eigen.

#include "solve/dense_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "support/matrix_operator.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;
using testing::normal_matrix;

// Around the block of 128, and several of them.
const Index kOrders[] = {1, 2, 127, 128, 129, 300, 515};

Matrix positive_definite(Index n) {
  const Matrix g = normal_matrix(n, n, 1);
  Matrix a = g * g.transpose() / static_cast<double>(n);
  a.diagonal().array() += 0.5;
  return a;
}

Matrix lower(const Matrix& m) { return m.triangularView<Eigen::Lower>(); }

TEST(DenseFactor, CholeskyIsThatOfEigen) {
  for (const Index n : kOrders) {
    const Matrix a = positive_definite(n);
    Matrix factor = a;
    EXPECT_EQ(parallel_cholesky(factor), 0);
    EXPECT_LT((lower(factor) - Matrix(a.llt().matrixL())).cwiseAbs().maxCoeff(), 1e-12) << n;
  }
}

TEST(DenseFactor, CholeskyReadsTheLowerTriangleAlone) {
  for (const Index n : kOrders) {
    const Matrix a = positive_definite(n);
    Matrix other = a, factor = a;
    other.triangularView<Eigen::StrictlyUpper>().setConstant(12345);
    EXPECT_EQ(parallel_cholesky(factor), 0);
    EXPECT_EQ(parallel_cholesky(other), 0);
    EXPECT_EQ(lower(other), lower(factor)) << n;
  }
}

TEST(DenseFactor, InverseIsThatOfEigen) {
  for (const Index n : kOrders) {
    const Matrix a = positive_definite(n);
    Matrix factor = a;
    parallel_cholesky(factor);
    parallel_inverse(factor);
    const Matrix expected = a.llt().solve(Matrix::Identity(n, n));
    EXPECT_LT((lower(factor) - lower(expected)).cwiseAbs().maxCoeff(), 1e-11) << n;
  }
}

TEST(DenseFactor, InverseInFloatIsThatOfEigen) {
  for (const Index n : kOrders) {
    const Matrix a = positive_definite(n);
    FloatMatrix factor = a.cast<float>();
    parallel_cholesky(factor);
    parallel_inverse(factor);
    const Matrix expected = a.llt().solve(Matrix::Identity(n, n));
    EXPECT_LT((lower(factor.cast<double>()) - lower(expected)).cwiseAbs().maxCoeff(), 1e-4) << n;
  }
}

// More rows than a block of the product has.
TEST(DenseFactor, SymmetricProductReadsTheLowerTriangleAlone) {
  for (const Index n : {Index(1), Index(300), Index(1100)}) {
    const Matrix a = positive_definite(n), x = normal_matrix(n, 3, 2);
    FloatMatrix half = a.cast<float>();
    half.triangularView<Eigen::StrictlyUpper>().setConstant(12345);
    Matrix y(n, 3);
    parallel_symmetric_product(half, x, y);
    EXPECT_LT((y - a * x).norm(), 1e-5 * (a * x).norm()) << n;
  }
}

TEST(DenseFactor, InverseReadsTheLowerTriangleAlone) {
  Matrix factor = positive_definite(300);
  parallel_cholesky(factor);
  Matrix other = factor;
  other.triangularView<Eigen::StrictlyUpper>().setConstant(12345);
  parallel_inverse(factor);
  parallel_inverse(other);
  EXPECT_EQ(lower(other), lower(factor));
}

// Rows and columns up to `bad` are those of a positive definite matrix, and the diagonal there is
// lowered below its Schur complement: leading minors up to bad are positive, and the next is not.
TEST(DenseFactor, TheFirstMinorThatFailsIsReturned) {
  for (const Index n : kOrders) {
    const Matrix a = positive_definite(n), l = a.llt().matrixL();
    for (const Index bad :
         {Index(0), n / 2, std::min<Index>(n - 1, 127), std::min<Index>(n - 1, 128), n - 1}) {
      Matrix broken = a;
      broken(bad, bad) -= l(bad, bad) * l(bad, bad) * (1 + 1e-6);
      broken(n - 1, n - 1) -= 10;  // a later failure hides behind the first
      EXPECT_EQ(parallel_cholesky(broken), bad + 1) << n;
    }
  }
}

TEST(DenseFactor, NanIsNoPositiveDefiniteMatrix) {
  Matrix a = positive_definite(300);
  a(200, 200) = std::numeric_limits<double>::quiet_NaN();
  const Index failed = parallel_cholesky(a);
  EXPECT_TRUE(failed != 0 || !lower(a).allFinite()) << "NaN was lost";
}

// Where blocks are wider; a diagonal that dominates makes a matrix that is quick to build.
TEST(DenseFactor, LargeMatricesHaveWiderBlocks) {
  const Index n = 4100;
  Matrix a = 0.01 * normal_matrix(n, n, 3);
  a = (a + a.transpose()).eval();
  a.diagonal().array() += 3;
  const Matrix x = normal_matrix(n, 2, 4);
  Matrix factor = a;
  ASSERT_EQ(parallel_cholesky(factor), 0);
  const Matrix l = lower(factor);
  EXPECT_TRUE((l * (l.transpose() * x)).isApprox(a * x, 1e-12));
  parallel_inverse(factor);
  EXPECT_TRUE((factor.selfadjointView<Eigen::Lower>() * (a * x)).isApprox(x, 1e-11));
}

TEST(DenseFactor, ThreadsDoNotChangeASingleBit) {
  const Matrix a = positive_definite(515);
  expect_same_bits_on_any_threads([&] {
    Matrix factor = a;
    parallel_cholesky(factor);
    return lower(factor);
  });
  expect_same_bits_on_any_threads([&] {
    Matrix factor = a;
    parallel_cholesky(factor);
    parallel_inverse(factor);
    return lower(factor);
  });
}

}  // namespace
}  // namespace ulisse
