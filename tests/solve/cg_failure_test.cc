// Numerical failure is data: no exception, no wrong claim of convergence.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/error_message.h"
#include "support/matrix_operator.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::matrix_with_spectrum;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Identity, until the product number `good`, and NaN in column 0 from then on.
class SpoiltOperator : public LinearOperator {
 public:
  SpoiltOperator(Matrix a, int good) : a_(std::move(a)), good_(good) {}
  Index size() const override { return a_.size(); }
  void apply(const ConstBlock& x, Block y) const override {
    a_.apply(x, y);
    if (good_-- <= 0) y(0, 0) = kNan;
  }

 private:
  MatrixOperator a_;
  mutable int good_;
};

TEST(ConjugateGradients, AnIndefiniteOperatorIsABreakdown) {
  Vector eigenvalues = Vector::LinSpaced(20, 1, 20);
  eigenvalues(7) = -5;
  const Matrix b = normal_matrix(20, 2, 1);
  Matrix x = Matrix::Zero(20, 2);
  const auto summary =
      conjugate_gradients(MatrixOperator(matrix_with_spectrum(eigenvalues, 2)), nullptr, b, x);
  EXPECT_EQ(summary.stop, Stop::breakdown);
  EXPECT_TRUE(contains(summary.message, "not positive definite")) << summary.message;
  EXPECT_TRUE(contains(summary.message, "p'Ap = -")) << summary.message;
  EXPECT_TRUE(x.allFinite());
}

TEST(ConjugateGradients, ABreakdownOfOneColumnDoesNotTouchTheOthers) {
  Vector diagonal = Vector::LinSpaced(20, 1, 20);
  diagonal(19) = -1;
  const MatrixOperator a(diagonal.asDiagonal());
  Matrix b = normal_matrix(20, 3, 3), x = Matrix::Zero(20, 3), alone = Matrix::Zero(20, 3);
  b.row(19) << 0, 50, 0;
  const auto summary = conjugate_gradients(a, nullptr, b, x);
  EXPECT_EQ(summary.stop, Stop::breakdown);
  EXPECT_EQ(summary.columns[0].stop, Stop::converged);
  EXPECT_EQ(summary.columns[1].stop, Stop::breakdown);
  EXPECT_EQ(summary.columns[2].stop, Stop::converged);
  EXPECT_TRUE(summary.message.starts_with("column 1,")) << summary.message;
  for (const Index c : {0, 2}) {
    conjugate_gradients(a, nullptr, b.col(c), alone.col(c));
    EXPECT_EQ(x.col(c), alone.col(c));
  }
}

TEST(ConjugateGradients, AnIndefinitePreconditionerIsABreakdown) {
  const MatrixOperator negative(-Matrix::Identity(20, 20));
  const Matrix b = normal_matrix(20, 2, 4);
  Matrix x = Matrix::Zero(20, 2);
  const auto summary = conjugate_gradients(MatrixOperator(random_spd(20, 10, 5)), &negative, b, x);
  EXPECT_EQ(summary.stop, Stop::breakdown);
  EXPECT_TRUE(contains(summary.message, "r'p = -")) << summary.message;
  EXPECT_TRUE((x.array() == 0).all());
}

TEST(ConjugateGradients, NanFromTheOperatorIsABreakdownOfItsColumn) {
  const Matrix a = random_spd(30, 100, 6), b = normal_matrix(30, 2, 7);
  for (const int good : {0, 1, 5}) {
    Matrix x = Matrix::Zero(30, 2);
    const auto summary = conjugate_gradients(SpoiltOperator(a, good), nullptr, b, x);
    EXPECT_EQ(summary.stop, Stop::breakdown) << good;
    EXPECT_EQ(summary.columns[0].stop, Stop::breakdown);
    EXPECT_EQ(summary.columns[0].iterations, good);
    EXPECT_TRUE(x.allFinite()) << "the best that was reached is lost";
    EXPECT_FALSE(summary.message.empty());
  }
}

TEST(ConjugateGradients, NanFromThePreconditionerIsABreakdown) {
  const MatrixOperator a(random_spd(30, 100, 8));
  const SpoiltOperator preconditioner(Matrix::Identity(30, 30), 3);
  const Matrix b = normal_matrix(30, 1, 9);
  Matrix x = Matrix::Zero(30, 1);
  EXPECT_EQ(conjugate_gradients(a, &preconditioner, b, x).stop, Stop::breakdown);
  EXPECT_TRUE(x.allFinite());
}

TEST(ConjugateGradients, RightHandSidesThatAreNotFiniteAreABreakdown) {
  for (const double bad : {kNan, std::numeric_limits<double>::infinity()}) {
    Matrix b = normal_matrix(10, 2, 10), x = Matrix::Zero(10, 2);
    b(3, 1) = bad;
    const auto summary = conjugate_gradients(MatrixOperator(random_spd(10, 10, 11)), nullptr, b, x);
    EXPECT_EQ(summary.stop, Stop::breakdown);
    EXPECT_EQ(summary.columns[0].stop, Stop::converged);
    EXPECT_EQ(summary.columns[1].stop, Stop::breakdown);
    EXPECT_FALSE(summary.residual < 1e-8) << "the largest residual is not a number";
  }
}

// K is singular: no x has K x = b, and the residual cannot fall.
TEST(ConjugateGradients, DuplicateInputsWithoutNoiseAreNotReportedAsConverged) {
  Matrix x = normal_matrix(80, 2, 12);
  x.bottomRows(40) = x.topRows(40);
  const Vector psi = (Vector(3) << 0, 0, std::log(1e-300)).finished();
  const Matrix b = normal_matrix(80, 3, 13);
  for (const char* kernel : {"rbf", "matern12", "matern32", "matern52"}) {
    const auto k = make_covariance(parse_kernel(kernel), x, {.backend = "dense"})->at(psi);
    Matrix solution = Matrix::Zero(80, 3);
    const auto summary = conjugate_gradients(*k, nullptr, b, solution);
    for (const auto& column : summary.columns) {
      EXPECT_TRUE(column.stop == Stop::breakdown || column.stop == Stop::stagnation ||
                  column.stop == Stop::iteration_limit)
          << kernel << ": " << to_string(column.stop);
      EXPECT_GT(column.residual, 0.1) << kernel;
    }
    EXPECT_TRUE(solution.allFinite());
  }
}

TEST(ConjugateGradients, AnExactSolutionIsNoBreakdownWhateverTheTolerance) {
  const MatrixOperator identity(Matrix::Identity(6, 6));
  Matrix x = Matrix::Zero(6, 1);
  const auto solved =
      conjugate_gradients(identity, nullptr, Matrix::Ones(6, 1), x, {.tolerance = 0});
  EXPECT_EQ(solved.stop, Stop::converged);
  Matrix warm = Matrix::Ones(6, 1);
  const auto zero = conjugate_gradients(identity, nullptr, Matrix::Zero(6, 1), warm,
                                        {.tolerance = 0, .relative_tolerance = 1e-8});
  EXPECT_EQ(zero.stop, Stop::converged);
  EXPECT_EQ(warm, Matrix::Zero(6, 1));
}

TEST(ConjugateGradients, SquaresThatUnderflowAreNotTakenForZero) {
  const MatrixOperator a(testing::random_spd(20, 10, 3));
  const Matrix b = 1e-170 * normal_matrix(20, 1, 4);
  Matrix x = Matrix::Zero(20, 1);
  const auto summary =
      conjugate_gradients(a, nullptr, b, x, {.tolerance = 0, .relative_tolerance = 1e-8});
  const double relative = (1e170 * (b - a.matrix() * x)).norm() / (1e170 * b).norm();
  EXPECT_TRUE(summary.stop != Stop::converged || relative < 1e-7) << to_string(summary.stop);
}

TEST(ConjugateGradients, NegativeAndNanTolerancesAreRefused) {
  const MatrixOperator a(Matrix::Identity(3, 3));
  Matrix x = Matrix::Zero(3, 1);
  for (const double bad : {-1.0, kNan}) {
    EXPECT_THROW(conjugate_gradients(a, nullptr, x, x, {.tolerance = bad}), std::invalid_argument);
    EXPECT_THROW(conjugate_gradients(a, nullptr, x, x, {.relative_tolerance = bad}),
                 std::invalid_argument);
  }
}

TEST(ConjugateGradients, StopsHaveNames) {
  EXPECT_EQ(to_string(Stop::converged), "converged");
  EXPECT_EQ(to_string(Stop::truncated), "truncated");
  EXPECT_EQ(to_string(Stop::iteration_limit), "iteration limit");
  EXPECT_EQ(to_string(Stop::stagnation), "stagnation");
  EXPECT_EQ(to_string(Stop::breakdown), "breakdown");
}

}  // namespace
}  // namespace ulisse
