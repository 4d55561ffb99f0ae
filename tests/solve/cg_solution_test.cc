// Conjugate gradients by property: what they return solves the system to the tolerance.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "support/error_message.h"
#include "support/matrix_operator.h"
#include "support/thread_counts.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;
using testing::MatrixOperator;
using testing::message_of;
using testing::normal_matrix;
using testing::random_spd;

void expect_solves(const Matrix& a, const Matrix& b, const Matrix& x, const SolveSummary& summary,
                   const CgOptions& options) {
  EXPECT_EQ(summary.stop, Stop::converged) << summary.message;
  for (Index c = 0; c < b.cols(); ++c) {
    const double tolerance = options.tolerance + options.relative_tolerance * b.col(c).norm();
    EXPECT_LT((b.col(c) - a * x.col(c)).norm(), tolerance) << "column " << c;
    EXPECT_EQ(summary.columns[c].stop, Stop::converged);
    EXPECT_LT(summary.columns[c].residual, tolerance);
  }
}

TEST(ConjugateGradients, SolvesRandomSystemsToTheTolerance) {
  for (const Index n : {1, 2, 3, 17, 60}) {
    for (const double tolerance : {1e-1, 1e-4, 1e-8, 1e-10}) {
      const Matrix a = random_spd(n, 1e3, 1), b = normal_matrix(n, 5, 2);
      Matrix x = Matrix::Zero(n, 5);
      const CgOptions options{.tolerance = tolerance};
      const auto summary = conjugate_gradients(MatrixOperator(a), nullptr, b, x, options);
      expect_solves(a, b, x, summary, options);
    }
  }
}

TEST(ConjugateGradients, SolvesFromAnyStart) {
  const Matrix a = random_spd(40, 1e3, 3), b = normal_matrix(40, 3, 4);
  Matrix x = 100 * normal_matrix(40, 3, 5);
  const auto summary = conjugate_gradients(MatrixOperator(a), nullptr, b, x);
  expect_solves(a, b, x, summary, {});
}

TEST(ConjugateGradients, SolvesWithAnyPreconditioner) {
  const Matrix a = random_spd(50, 1e4, 6), b = normal_matrix(50, 3, 7);
  const Matrix inverse = a.llt().solve(Matrix::Identity(50, 50));
  for (const Matrix& p : {Matrix(5 * Matrix::Identity(50, 50)), random_spd(50, 10, 8),
                          Matrix(0.5 * (inverse + inverse.transpose()))}) {
    const MatrixOperator preconditioner(p);
    Matrix x = Matrix::Zero(50, 3);
    const auto summary = conjugate_gradients(MatrixOperator(a), &preconditioner, b, x);
    expect_solves(a, b, x, summary, {});
  }
}

TEST(ConjugateGradients, ThePerfectPreconditionerNeedsOneIteration) {
  const Matrix a = random_spd(50, 1e3, 9), b = normal_matrix(50, 3, 10);
  const Matrix inverse = a.llt().solve(Matrix::Identity(50, 50));
  const MatrixOperator preconditioner(0.5 * (inverse + inverse.transpose()));
  Matrix x = Matrix::Zero(50, 3);
  EXPECT_EQ(conjugate_gradients(MatrixOperator(a), &preconditioner, b, x).iterations, 1);
}

// Exact arithmetic ends after as many iterations as there are distinct eigenvalues.
TEST(ConjugateGradients, FewDistinctEigenvaluesNeedFewIterations) {
  Vector eigenvalues(60);
  for (Index i = 0; i < 60; ++i) eigenvalues(i) = 1 + static_cast<double>(i % 4);
  const Matrix a = testing::matrix_with_spectrum(eigenvalues, 11), b = normal_matrix(60, 2, 12);
  Matrix x = Matrix::Zero(60, 2);
  EXPECT_EQ(conjugate_gradients(MatrixOperator(a), nullptr, b, x).iterations, 4);
}

TEST(ConjugateGradients, TheRelativeToleranceIsRelativeToEachRightHandSide) {
  const Matrix a = random_spd(40, 1e3, 13);
  Matrix b = normal_matrix(40, 3, 14);
  b.col(1) *= 1e9;
  b.col(2) *= 1e-9;
  Matrix x = Matrix::Zero(40, 3);
  const CgOptions options{.tolerance = 0, .relative_tolerance = 1e-6};
  const auto summary = conjugate_gradients(MatrixOperator(a), nullptr, b, x, options);
  expect_solves(a, b, x, summary, options);
  for (const auto& column : summary.columns) EXPECT_GT(column.iterations, 10);
}

TEST(ConjugateGradients, AZeroRightHandSideGivesZero) {
  const Matrix a = random_spd(20, 100, 15);
  Matrix b = normal_matrix(20, 3, 16), x = Matrix::Zero(20, 3);
  b.col(1).setZero();
  for (const double tolerance : {0.0, 1e-8}) {
    x.setZero();
    const auto summary = conjugate_gradients(
        MatrixOperator(a), nullptr, b, x,
        {.tolerance = tolerance, .relative_tolerance = tolerance == 0 ? 1e-8 : 0});
    EXPECT_EQ(summary.stop, Stop::converged);
    EXPECT_TRUE((x.col(1).array() == 0).all());
    EXPECT_EQ(summary.columns[1].iterations, 0);
    EXPECT_EQ(summary.columns[1].residual, 0);
    EXPECT_GT(summary.columns[0].iterations, 0);
  }
}

TEST(ConjugateGradients, NoRightHandSidesNeedNoProducts) {
  const Matrix b(20, 0);
  Matrix x(20, 0);
  const auto summary = conjugate_gradients(MatrixOperator(random_spd(20, 10, 17)), nullptr, b, x);
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.products, 0);
  EXPECT_TRUE(summary.columns.empty());
}

TEST(ConjugateGradients, WrongSizesAreRefusedAndNamed) {
  const MatrixOperator a(Matrix::Identity(10, 10)), nine(Matrix::Identity(9, 9));
  const auto error_for = [&](const LinearOperator* preconditioner, Index b_rows, Index b_cols,
                             Index x_rows, Index x_cols) {
    Matrix x = Matrix::Zero(x_rows, x_cols);
    return message_of<std::invalid_argument>(
        [&] { conjugate_gradients(a, preconditioner, Matrix::Zero(b_rows, b_cols), x); });
  };
  EXPECT_EQ(error_for(nullptr, 9, 2, 10, 2),
            "a system of size 10 with a right-hand side of 9 x 2 and a solution of 10 x 2");
  EXPECT_NE(error_for(nullptr, 10, 2, 9, 2), "no error");
  EXPECT_NE(error_for(nullptr, 10, 2, 10, 3), "no error");
  EXPECT_EQ(error_for(&nine, 10, 2, 10, 2), "a preconditioner of size 9 for a system of size 10");
  EXPECT_EQ(error_for(nullptr, 10, 2, 10, 2), "no error");
}

TEST(ConjugateGradients, ThreadsDoNotChangeASingleBit) {
  const Matrix x = normal_matrix(700, 3, 18), b = normal_matrix(700, 5, 19);
  const Vector psi = (Vector(3) << 0, -1, -3).finished();
  expect_same_bits_on_any_threads([&] {
    const auto k = make_covariance(parse_kernel("rbf"), x, {.backend = "cached"})->at(psi);
    const LowRankPreconditioner p(pivoted_cholesky(*k, {.rank = 60}), k->noise());
    Matrix solution = Matrix::Zero(700, 5);
    conjugate_gradients(*k, &p, b, solution);
    return solution;
  });
}

}  // namespace
}  // namespace ulisse
