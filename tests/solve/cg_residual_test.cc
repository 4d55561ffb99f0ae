// True residuals: they replace a drifted recurrence, confirm convergence, and show stagnation.

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_message.h"
#include "support/matrix_operator.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_orthogonal;
using testing::random_spd;

// A and a cheap version of it that is off by `noise` relative to |A| = 1.
struct CheapAndExact {
  CheapAndExact(Index n, double condition, double noise, unsigned seed)
      : exact(random_spd(n, condition, seed)),
        cheap(exact.matrix() + perturbation(n, noise, seed)) {}

  static Matrix perturbation(Index n, double noise, unsigned seed) {
    const Matrix e = normal_matrix(n, n, seed + 1000);
    return noise / (2 * std::sqrt(2 * static_cast<double>(n))) * (e + e.transpose());
  }

  MatrixOperator exact, cheap;
};

TEST(ConjugateGradients, TheExactOperatorCorrectsACheapOne) {
  const CheapAndExact a(80, 1e3, 1e-6, 1);
  const Matrix b = normal_matrix(80, 3, 2);
  const auto relative_residual = [&](const CgOptions& options) {
    Matrix x = Matrix::Zero(80, 3);
    const auto summary = conjugate_gradients(a.cheap, nullptr, b, x, options);
    EXPECT_EQ(summary.stop, Stop::converged) << summary.message;
    return ((b - a.exact.matrix() * x).colwise().norm().array() / b.colwise().norm().array())
        .maxCoeff();
  };
  CgOptions options{.tolerance = 0, .relative_tolerance = 1e-10, .check_drop = 1e-3};
  EXPECT_GT(relative_residual(options), 1e-7) << "the cheap operator alone is too good for this";
  options.exact = &a.exact;
  EXPECT_LT(relative_residual(options), 1e-10);
  options.check_drop = 0;
  options.check_every = 10;
  EXPECT_LT(relative_residual(options), 1e-10);
  options.check_every = 0;  // then convergence alone is verified
  EXPECT_LT(relative_residual(options), 1e-10);
}

// After one iteration the recurrence has drifted by 7 %, too little to be replaced: its norm is
// 0.79, that of the true residual 0.85. This was once taken for convergence to 0.82.
TEST(ConjugateGradients, ATrueResidualJustAboveTheToleranceIsNotConvergence) {
  const MatrixOperator exact(Vector::LinSpaced(2, 1, 4).asDiagonal());
  const MatrixOperator cheap(exact.matrix() +
                             Vector::LinSpaced(2, 0.1, -0.1).asDiagonal().toDenseMatrix());
  const Matrix b = Vector::Ones(2);
  Matrix x = Matrix::Zero(2, 1);
  const auto summary =
      conjugate_gradients(cheap, nullptr, b, x, {.tolerance = 0.82, .exact = &exact});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.iterations, 2);
  EXPECT_LT((b - exact.matrix() * x).norm(), 0.82);
}

TEST(ConjugateGradients, ConvergenceMeansTheTrueResidualWhateverTheTolerance) {
  const CheapAndExact a(40, 300, 1e-6, 3);
  const Matrix b = normal_matrix(40, 2, 4);
  for (double tolerance = 3e-6; tolerance < 1e-3; tolerance *= 1.02) {
    Matrix x = Matrix::Zero(40, 2);
    const auto summary =
        conjugate_gradients(a.cheap, nullptr, b, x, {.tolerance = tolerance, .exact = &a.exact});
    for (Index c = 0; c < 2; ++c) {
      const double residual = (b.col(c) - a.exact.matrix() * x.col(c)).norm();
      EXPECT_EQ(summary.columns[c].stop, Stop::converged);
      EXPECT_LT(residual, tolerance);
      EXPECT_NEAR(summary.columns[c].residual, residual, 1e-12) << "reports another residual";
    }
  }
}

TEST(ConjugateGradients, WithoutVerificationTheRecurrenceIsBelieved) {
  const CheapAndExact a(40, 300, 1e-3, 5);
  const Matrix b = normal_matrix(40, 1, 6);
  Matrix x = Matrix::Zero(40, 1);
  const auto summary = conjugate_gradients(
      a.cheap, nullptr, b, x,
      {.tolerance = 1e-8, .check_every = 0, .verify = false, .exact = &a.exact});
  EXPECT_EQ(summary.stop, Stop::converged);
  EXPECT_EQ(summary.exact_products, 0);
  EXPECT_LT(summary.residual, 1e-8);
  EXPECT_GT((b - a.exact.matrix() * x).norm(), 1e-5);
}

// Q D Q' with condition 1e18, positive definite up to rounding: most eigenvalues in [1, 2], so that
// CG soon meets the limit of the arithmetic, and a few of 2e-18.
class NearlySingularOperator : public LinearOperator {
 public:
  NearlySingularOperator() : q_(random_orthogonal(60, 7)), d_(60) {
    d_ << Vector::LinSpaced(55, 1, 2), Vector::Constant(5, 2e-18);
  }
  Index size() const override { return 60; }
  void apply(const ConstBlock& x, Block y) const override {
    y = q_ * (d_.asDiagonal() * (q_.transpose() * x));
  }

 private:
  Matrix q_;
  Vector d_;
};

TEST(ConjugateGradients, AnUnreachableToleranceIsStagnation) {
  const NearlySingularOperator a;
  Matrix b(60, 2), x = Matrix::Zero(60, 2), reached(60, 2);
  a.apply(normal_matrix(60, 2, 8), b);
  const auto summary = conjugate_gradients(a, nullptr, b, x, {.tolerance = 1e-18});
  EXPECT_EQ(summary.stop, Stop::stagnation) << to_string(summary.stop) << summary.message;
  EXPECT_TRUE(contains(summary.message, "limit of the arithmetic")) << summary.message;
  a.apply(x, reached);
  EXPECT_LT((b - reached).norm(), 1e-6) << "what was reached is lost";
}

// The solution has a norm of 1e18, and rounding leaves residuals above 1.
TEST(ConjugateGradients, ANearlySingularSystemIsStagnation) {
  const NearlySingularOperator a;
  const Matrix b = normal_matrix(60, 2, 11);
  Matrix x = Matrix::Zero(60, 2);
  const auto summary = conjugate_gradients(a, nullptr, b, x);
  for (Index c = 0; c < 2; ++c) {
    EXPECT_EQ(summary.columns[c].stop, Stop::stagnation) << to_string(summary.columns[c].stop);
    EXPECT_GT(summary.columns[c].residual, 1e-3);
  }
}

TEST(ConjugateGradients, AToleranceBelowRoundingIsStagnation) {
  const MatrixOperator a(random_spd(60, 1e6, 9));
  const Matrix b = normal_matrix(60, 1, 10);
  Matrix x = Matrix::Zero(60, 1);
  const auto summary =
      conjugate_gradients(a, nullptr, b, x, {.tolerance = 1e-25, .max_iterations = 100'000});
  EXPECT_EQ(summary.stop, Stop::stagnation) << to_string(summary.stop);
  EXPECT_LT(summary.iterations, 5'000);
  EXPECT_LT((b - a.matrix() * x).norm(), 1e-8) << "what was reached is lost";
}

// With A/1.6 in place of A each round of corrections leaves 0.6 of the residual: drift at every
// check, and slow progress, but progress.
TEST(ConjugateGradients, SlowCorrectionsAreNotStagnation) {
  const MatrixOperator exact(random_spd(30, 100, 12)), cheap(exact.matrix() / 1.6);
  const Matrix b = normal_matrix(30, 2, 13);
  Matrix x = Matrix::Zero(30, 2);
  const auto summary = conjugate_gradients(
      cheap, nullptr, b, x, {.max_iterations = 10'000, .check_drop = 1e-3, .exact = &exact});
  EXPECT_EQ(summary.stop, Stop::converged) << to_string(summary.stop) << summary.message;
  EXPECT_LT((b - exact.matrix() * x).colwise().norm().maxCoeff(), 1e-8);
}

// tridiag(-1, 2, -1) x = e_1: the residual is 1/(k + 1) after k iterations, and 0 after n. Checks
// find it hardly better than the time before, again and again, but right.
TEST(ConjugateGradients, ALongPlateauIsNotStagnation) {
  const Index n = 1000;
  Matrix t = 2 * Matrix::Identity(n, n);
  t.diagonal(1).setConstant(-1);
  t.diagonal(-1).setConstant(-1);
  Matrix x = Matrix::Zero(n, 1);
  const auto summary =
      conjugate_gradients(MatrixOperator(t), nullptr, Vector::Unit(n, 0), x, {.check_every = 20});
  EXPECT_EQ(summary.stop, Stop::converged) << to_string(summary.stop) << summary.message;
  EXPECT_EQ(summary.iterations, n);
}

}  // namespace
}  // namespace ulisse
