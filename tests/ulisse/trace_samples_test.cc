// The trace at the anchor, with the preconditioner's own as control.

#include "ulisse/trace_samples.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/problem.h"
#include "support/random_points.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::normal_matrix;
using testing::Problem;

// Two samples that are made of two controls with means 3 and -2, and noise of standard deviation
// 0.1; without the controls they spread by more than 1.
struct Draws {
  explicit Draws(unsigned seed, Index count = 24) {
    controls = normal_matrix(2, count, seed);
    controls.row(0).array() += 3;
    controls.row(1).array() -= 2;
    samples = slopes * controls + 0.1 * normal_matrix(2, count, seed + 100000);
    truth = slopes * expectation;
  }
  Matrix slopes = Matrix{{1, 0.5}, {-0.3, 2}}, samples, controls;
  Vector expectation = Vector{{3, -2}}, truth;
};

TEST(RegressedMean, ControlsTakeAwayWhatTheyTell) {
  const Draws draws(1);
  const MeanEstimate m = regressed_mean(draws.samples, draws.controls, draws.expectation);
  EXPECT_LT((m.value - draws.truth).norm(), 0.1);
  EXPECT_GT((draws.samples.rowwise().mean() - draws.truth).norm(), 0.1);
}

// Far from where the controls are, too. Errors in units of what is said of them have the mean
// square of a t distribution with 12 - 1 - 2 degrees of freedom, 9/7; of 4,000 of them it is off by
// 0.18 but once in a million.
TEST(RegressedMean, SaysHowFarItIsOff) {
  constexpr int kRepeats = 4000;
  double squares = 0;
  for (int i = 0; i < kRepeats; ++i) {
    Draws draws(static_cast<unsigned>(10 + i), 12);
    const Vector elsewhere = draws.expectation + Vector{{1, -1}};
    const Vector truth = draws.slopes * elsewhere;
    const MeanEstimate m = regressed_mean(draws.samples, draws.controls, elsewhere);
    squares += std::pow(m.value(0) - truth(0), 2) / m.covariance(0, 0) / kRepeats;
  }
  EXPECT_NEAR(squares, 9.0 / 7, 0.18);
}

TEST(RegressedMean, ControlsThatAreConstantOrRepeatDoNoHarm) {
  Draws draws(2);
  const MeanEstimate two = regressed_mean(draws.samples, draws.controls, draws.expectation);
  Matrix more(4, draws.controls.cols());
  more << draws.controls, Vector::Constant(more.cols(), 7.0).transpose(), draws.controls.row(0);
  const MeanEstimate four = regressed_mean(draws.samples, more, Vector{{3, -2, 7, 3}});
  EXPECT_LT((four.value - two.value).norm(), 1e-9);
  EXPECT_THROW(regressed_mean(draws.samples.leftCols(3), draws.controls.leftCols(3), draws.truth),
               std::invalid_argument);
}

class PreconditionerTrace : public ::testing::TestWithParam<const char*> {};

// Against P^-1 as a matrix and derivatives by the forms of unit vectors.
TEST_P(PreconditionerTrace, IsThatOfTheMatrix) {
  const Problem problem(GetParam(), 90, 2);
  const auto k = problem.covariance->at(problem.psi);
  const auto p = problem.preconditioner(70);  // more columns than one block
  const Index n = 90;
  const Matrix unit = Matrix::Identity(n, n);
  Matrix inverse(n, n);
  p->apply(unit, inverse);
  // sum_c inverse_c' dK e_c = tr(P^-1 dK)
  const Vector truth = 0.5 * k->gradient_forms(inverse, unit);
  Index last = -1;
  const Vector trace = p->half_trace(*k, [&](Index columns) { last = columns; });
  EXPECT_LT((trace - truth).norm(), 1e-9 * truth.norm());
  EXPECT_EQ(last, 64);
}

INSTANTIATE_TEST_SUITE_P(Kernels, PreconditionerTrace,
                         ::testing::Values("rbf", "matern32", "rbf-ard", "matern12"));

}  // namespace
}  // namespace ulisse
