// Columns of a block share products, stop on their own, leave the block, and are counted.

#include <gtest/gtest.h>

#include "support/matrix_operator.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::CountingOperator;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

using Widths = std::vector<Index>;

// diag(1, 2, ..., n), and right-hand sides that are sums of 1, 2, ..., m eigenvectors: column c
// needs exactly c + 1 iterations.
constexpr Index kSize = 12;
Matrix staircase_matrix() { return Vector::LinSpaced(kSize, 1, kSize).asDiagonal(); }
Matrix staircase(Index m) {
  Matrix b = Matrix::Zero(kSize, m);
  for (Index c = 0; c < m; ++c) b.col(c).head(c + 1).setOnes();
  return b;
}

TEST(ConjugateGradients, EachColumnStopsOnItsOwnAndLeavesTheBlock) {
  const MatrixOperator a(staircase_matrix());
  const CountingOperator counted(a);
  Matrix x = Matrix::Zero(kSize, 4);
  const auto summary = conjugate_gradients(counted, nullptr, staircase(4), x, {.verify = false});
  EXPECT_EQ(summary.stop, Stop::converged);
  for (int c = 0; c < 4; ++c) EXPECT_EQ(summary.columns[c].iterations, c + 1);
  EXPECT_EQ(summary.iterations, 4);
  EXPECT_EQ(counted.widths(), (Widths{4, 3, 2, 1}));
  EXPECT_EQ(summary.products, 4);
  EXPECT_LT((staircase(4) - a.matrix() * x).norm(), 1e-8);
}

TEST(ConjugateGradients, OnlyColumnsThatSeemToHaveConvergedAreVerified) {
  const MatrixOperator a(staircase_matrix());
  const CountingOperator counted(a);
  Matrix x = Matrix::Zero(kSize, 3);
  const auto summary = conjugate_gradients(counted, nullptr, staircase(3), x);
  EXPECT_EQ(counted.widths(), (Widths{3, 1, 2, 1, 1, 1}));
  EXPECT_EQ(summary.products, 6);
}

TEST(ConjugateGradients, TheOrderOfColumnsDoesNotMatter) {
  const MatrixOperator a(random_spd(30, 100, 1));
  Matrix b = normal_matrix(30, 4, 2);
  b.col(1) *= 1e-6;  // leaves early
  Matrix x = Matrix::Zero(30, 4), reversed = Matrix::Zero(30, 4);
  conjugate_gradients(a, nullptr, b, x);
  conjugate_gradients(a, nullptr, Matrix(b.rowwise().reverse()), reversed);
  EXPECT_EQ(x, reversed.rowwise().reverse());
}

TEST(ConjugateGradients, NeighboursDoNotChangeAColumn) {
  const MatrixOperator a(random_spd(30, 100, 3)), p(random_spd(30, 3, 4));
  const Matrix b = normal_matrix(30, 3, 5);
  Matrix together = Matrix::Zero(30, 3), alone = Matrix::Zero(30, 3);
  conjugate_gradients(a, &p, b, together);
  for (Index c = 0; c < 3; ++c) conjugate_gradients(a, &p, b.col(c), alone.col(c));
  EXPECT_EQ(together, alone);
}

TEST(ConjugateGradients, AStartAtTheSolutionCostsNoIteration) {
  const MatrixOperator a(random_spd(30, 100, 6));
  const CountingOperator counted(a);
  Matrix x = normal_matrix(30, 3, 7);
  const Matrix start = x, b = a.matrix() * x;
  const auto summary = conjugate_gradients(counted, nullptr, b, x);
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.iterations, 0);
  EXPECT_EQ(counted.widths(), Widths{3});
  EXPECT_EQ(summary.products, 1);
  EXPECT_EQ(x, start);
}

TEST(ConjugateGradients, AStartNearTheSolutionCostsFewIterations) {
  const MatrixOperator a(random_spd(100, 1e4, 8));
  const Matrix solution = normal_matrix(100, 2, 9), b = a.matrix() * solution;
  Matrix cold = Matrix::Zero(100, 2), warm = solution + 1e-7 * normal_matrix(100, 2, 10);
  const auto from_zero = conjugate_gradients(a, nullptr, b, cold);
  const auto from_near = conjugate_gradients(a, nullptr, b, warm);
  EXPECT_GT(from_near.iterations, 0);
  EXPECT_LT(3 * from_near.iterations, from_zero.iterations);
  EXPECT_LT((b - a.matrix() * warm).norm(), 2e-8);
}

TEST(ConjugateGradients, AColumnThatHasConvergedBeforeIsLeftAlone) {
  const MatrixOperator a(random_spd(30, 100, 11));
  const CountingOperator counted(a);
  const Matrix solution = normal_matrix(30, 3, 12), b = a.matrix() * solution;
  Matrix x = Matrix::Zero(30, 3);
  x.col(1) = solution.col(1);
  const auto summary = conjugate_gradients(counted, nullptr, b, x);
  EXPECT_EQ(summary.columns[1].iterations, 0);
  EXPECT_EQ(x.col(1), solution.col(1));
  EXPECT_GT(summary.columns[0].iterations, 0);
  EXPECT_EQ(counted.widths()[0], 3);
  EXPECT_EQ(counted.widths()[1], 2);
}

TEST(ConjugateGradients, TheIterationLimitIsReportedForEachColumn) {
  Matrix x = Matrix::Zero(kSize, 4);
  const auto summary = conjugate_gradients(MatrixOperator(staircase_matrix()), nullptr,
                                           staircase(4), x, {.max_iterations = 2});
  EXPECT_EQ(summary.stop, Stop::iteration_limit);
  EXPECT_EQ(summary.columns[0].stop, Stop::converged);
  EXPECT_EQ(summary.columns[1].stop, Stop::converged);
  EXPECT_EQ(summary.columns[2].stop, Stop::iteration_limit);
  EXPECT_EQ(summary.columns[3].stop, Stop::iteration_limit);
  EXPECT_EQ(summary.columns[3].iterations, 2);
  EXPECT_GT(summary.columns[3].residual, 1e-8);
  EXPECT_EQ(summary.residual, std::max(summary.columns[2].residual, summary.columns[3].residual));
}

TEST(ConjugateGradients, ProductsAreCountedAsTheOperatorsSeeThem) {
  const MatrixOperator a(random_spd(60, 1e6, 15)), p(random_spd(60, 2, 16));
  const CountingOperator counted(a), exact(a), preconditioner(p);
  const Matrix b = normal_matrix(60, 3, 17);
  for (const CgOptions& options :
       {CgOptions{}, CgOptions{.check_every = 7}, CgOptions{.check_drop = 0.1},
        CgOptions{.check_every = 0, .verify = false}}) {
    for (const bool with_exact : {false, true}) {
      CgOptions used = options;
      if (with_exact) used.exact = &exact;
      const long before = counted.products(), exact_before = exact.products();
      Matrix x = normal_matrix(60, 3, 18);
      const auto summary = conjugate_gradients(counted, &preconditioner, b, x, used);
      EXPECT_EQ(summary.products, counted.products() - before);
      EXPECT_EQ(summary.exact_products, exact.products() - exact_before);
      EXPECT_EQ(summary.exact_products > 0, with_exact);
    }
  }
}

}  // namespace
}  // namespace ulisse
