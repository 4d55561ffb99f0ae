// Dense products, triangular solves and Cholesky against plain Eigen.

#include "base/blas.h"

#include <cblas.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/blas_core.h"
#include "support/random_points.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;
using testing::normal_matrix;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Entries are sums of `inner` products of standard normals: some sqrt(inner), rounded inner times.
void expect_close(const Matrix& actual, const Matrix& expected, Index inner) {
  ASSERT_EQ(actual.rows(), expected.rows());
  ASSERT_EQ(actual.cols(), expected.cols());
  if (actual.size() == 0) return;
  EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), 1e-15 * static_cast<double>(10 + inner));
}

struct Shape3 {
  Index n, k, m;
};

// Odd ones, sizes around the pieces (64 columns, 512 rows), and empty ones.
const Shape3 kShapes[] = {{1, 1, 1},     {3, 5, 2},    {7, 64, 1}, {65, 63, 9}, {511, 65, 4},
                          {513, 129, 7}, {1030, 3, 5}, {40, 5, 0}, {40, 0, 5},  {0, 5, 3}};

TEST(Blas, AProcessorNewerThanOpenBlasIsNotTakenForAnOldOne) {
  if (best_blas_core() == nullptr) GTEST_SKIP() << "no choice to make on this processor";
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) GTEST_SKIP() << "OPENBLAS_CORETYPE is set";
  EXPECT_STRNE(blas_core(), "Prescott");
}

TEST(Blas, TransposedProductsMatchEigen) {
  for (const auto& [n, k, m] : kShapes) {
    const Matrix a = normal_matrix(n, k, 1), b = normal_matrix(n, m, 2);
    Matrix c = Matrix::Constant(k, m, kNan);
    parallel_transposed_product(a, b, c);
    expect_close(c, a.transpose().lazyProduct(b), n);
  }
}

// So many rows that they are cut, not the columns.
TEST(Blas, TransposedProductsOfTallBlocksMatchEigenOnAnyThreads) {
  const Matrix a = Matrix::Random(70'001, 5), b = Matrix::Random(70'001, 2);
  const auto product = [&] {
    Matrix c(5, 2);
    parallel_transposed_product(a, b, c);
    return c;
  };
  const Matrix expected = a.transpose() * b;
  EXPECT_LT((product() - expected).cwiseAbs().maxCoeff(), 1e-9);
  testing::expect_same_bits_on_any_threads(product);
}

TEST(Blas, ProductsMatchEigen) {
  for (const auto& [n, k, m] : kShapes) {
    const Matrix a = normal_matrix(n, k, 3), b = normal_matrix(k, m, 4),
                 c0 = normal_matrix(n, m, 5);
    Matrix c = c0;
    parallel_product(-1.5, a, b, 0.5, c);
    expect_close(c, 0.5 * c0 - 1.5 * a.lazyProduct(b), k);
  }
}

// As in BLAS: with beta = 0 the result may hold anything before, also where the product is empty.
TEST(Blas, BetaZeroForgetsWhatWasThere) {
  for (const auto& [n, k, m] : kShapes) {
    const Matrix a = normal_matrix(n, k, 6), b = normal_matrix(k, m, 7);
    Matrix c = Matrix::Constant(n, m, kNan);
    parallel_product(1, a, b, 0, c);
    expect_close(c, a.lazyProduct(b), k);
  }
}

TEST(Blas, GemmTransposesEitherOperandOfAStridedBlock) {
  const Matrix big = normal_matrix(30, 30, 8);
  const auto a = big.block(2, 3, 5, 7), b = big.block(11, 9, 7, 4);
  const Matrix expected = a.lazyProduct(b), at = a.transpose(), bt = b.transpose();
  Matrix c = Matrix::Constant(9, 9, -7);
  gemm(false, false, 1, a, b, 0, c.block(1, 2, 5, 4));
  expect_close(c.block(1, 2, 5, 4), expected, 7);
  gemm(true, false, 1, at, b, 0, c.block(1, 2, 5, 4));
  expect_close(c.block(1, 2, 5, 4), expected, 7);
  gemm(false, true, 1, a, bt, 0, c.block(1, 2, 5, 4));
  expect_close(c.block(1, 2, 5, 4), expected, 7);
  gemm(true, true, 1, at, bt, 0, c.block(1, 2, 5, 4));
  expect_close(c.block(1, 2, 5, 4), expected, 7);
  c.block(1, 2, 5, 4).setConstant(-7);
  EXPECT_TRUE((c.array() == -7).all()) << "wrote outside its block";
}

TEST(Blas, CholeskyFactorisesOneTriangleAndLeavesTheOther) {
  for (const Index n : {0, 1, 2, 33, 130}) {
    const Matrix g = normal_matrix(n, n + 3, 9);
    const Matrix a = g * g.transpose();
    Matrix lower = a, upper = a;
    EXPECT_EQ(cholesky(Triangle::lower, lower), 0);
    EXPECT_EQ(cholesky(Triangle::upper, upper), 0);
    const Matrix l = lower.triangularView<Eigen::Lower>(), r = upper.triangularView<Eigen::Upper>();
    expect_close(l * l.transpose(), a, 10 * n);
    expect_close(r.transpose() * r, a, 10 * n);
    EXPECT_EQ(Matrix(lower.triangularView<Eigen::StrictlyUpper>()),
              Matrix(a.triangularView<Eigen::StrictlyUpper>()));
    EXPECT_EQ(Matrix(upper.triangularView<Eigen::StrictlyLower>()),
              Matrix(a.triangularView<Eigen::StrictlyLower>()));
  }
}

TEST(Blas, CholeskyReturnsTheFirstMinorThatFails) {
  for (const Index n : {1, 5, 70, 200}) {
    for (const Index bad : {Index(0), n / 2, n - 1}) {
      Matrix a = Matrix::Identity(n, n);
      a(bad, bad) = -1;
      a(n - 1, n - 1) = -1;  // a later failure hides behind the first
      Matrix b = a;
      EXPECT_EQ(cholesky(Triangle::lower, a), bad + 1);
      EXPECT_EQ(cholesky(Triangle::upper, b), bad + 1);
    }
  }
}

TEST(Blas, TriangularSolvesInvertProducts) {
  for (const Index n : {1, 2, 37, 130}) {
    const Matrix x = normal_matrix(n, 3, 10), y = normal_matrix(3, n, 11);
    Matrix l = 0.1 * normal_matrix(n, n, 12).triangularView<Eigen::Lower>().toDenseMatrix();
    l.diagonal().setConstant(2);
    const Matrix u = l.transpose();
    for (const bool transpose : {false, true}) {
      const Matrix l_op = transpose ? u : l, u_op = transpose ? l : u;
      Matrix left = l_op * x, right = y * l_op;
      solve_left(Triangle::lower, transpose, l, left);
      solve_right(Triangle::lower, transpose, l, right);
      EXPECT_TRUE(left.isApprox(x, 1e-10) && right.isApprox(y, 1e-10));
      left = u_op * x;
      right = y * u_op;
      solve_left(Triangle::upper, transpose, u, left);
      solve_right(Triangle::upper, transpose, u, right);
      EXPECT_TRUE(left.isApprox(x, 1e-10) && right.isApprox(y, 1e-10));
    }
  }
}

// By columns, with pieces of either width, and by blocks of 512 rows.
TEST(Blas, ParallelTriangularSolvesAreThoseOfOneThread) {
  for (const Index n : {1, 511, 512, 513, 1100}) {
    Matrix l = 0.02 * normal_matrix(n, n, 12).triangularView<Eigen::Lower>().toDenseMatrix();
    l.diagonal().setConstant(2);
    for (const Index columns : {1, 5, 40, 600}) {
      const Matrix b = normal_matrix(n, columns, 10);
      for (const bool transpose : {false, true}) {
        Matrix expected = b, pieces = b, blocks = b;
        solve_left(Triangle::lower, transpose, l, expected);
        parallel_solve_left(transpose, l, pieces);
        parallel_substitution(transpose, l, blocks);
        EXPECT_TRUE(pieces.isApprox(expected, 1e-12)) << n << " " << columns;
        EXPECT_TRUE(blocks.isApprox(expected, 1e-12)) << n << " " << columns;
      }
    }
  }
}

TEST(Blas, ParallelTriangularSolvesHaveTheSameBitsOnAnyThreads) {
  Matrix l = 0.02 * normal_matrix(1100, 1100, 12);
  l.diagonal().setConstant(2);
  const Matrix b = normal_matrix(1100, 600, 10);
  expect_same_bits_on_any_threads([&] {
    Matrix pieces = b, blocks = b.leftCols(3);
    parallel_solve_left(false, l, pieces);
    parallel_substitution(true, l, blocks);
    return std::pair(pieces, blocks);
  });
}

TEST(Blas, SolvesOfNothingDoNothing) {
  Matrix none(5, 0), nothing(0, 5);
  solve_left(Triangle::lower, false, Matrix::Identity(5, 5), none);
  solve_right(Triangle::upper, false, Matrix::Identity(5, 5), nothing);
  EXPECT_EQ(none.size() + nothing.size(), 0);
}

TEST(Blas, ThreadsDoNotChangeASingleBit) {
  const Matrix a = normal_matrix(1500, 150, 13), b = normal_matrix(1500, 9, 14);
  expect_same_bits_on_any_threads([&] {
    Matrix c(150, 9), d = b;
    parallel_transposed_product(a, b, c);
    parallel_product(1, a, c, 1, d);
    return d;
  });
}

TEST(Blas, ItsOwnThreadsDoNotChangeASingleBit) {
  const Matrix a = normal_matrix(700, 60, 7), b = normal_matrix(700, 50, 8);
  const auto product = [&] {
    Matrix c(60, 50);
    parallel_transposed_product(a, b, c);
    return c;
  };
  openblas_set_num_threads(1);
  const Matrix expected = product();
  openblas_set_num_threads(2);  // as another part of the process might
  EXPECT_EQ(product(), expected);
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

TEST(Blas, PiecesCoverEverythingOnce) {
  for (const Index size : {0, 1, 9, 10, 11, 95}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(size));
    parallel_pieces(size, 10, [&](Index start, Index count) {
      for (Index i = start; i < start + count; ++i) ++visits[i];
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
  }
}

}  // namespace
}  // namespace ulisse
