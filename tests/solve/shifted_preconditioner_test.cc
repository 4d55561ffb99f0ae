// K + delta I inverted by an inner CG, the preconditioner of the paper's section 3.3.

#include <gtest/gtest.h>

#include <limits>

#include "support/concrete.h"
#include "support/matrix_operator.h"
#include "ulisse/preconditioner.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::concrete;
using testing::concrete_covariance;
using testing::CountingOperator;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

TEST(ShiftedPreconditioner, SolvesTheShiftedSystemToTheInnerTolerance) {
  const MatrixOperator k(random_spd(50, 1e4, 1));
  const Matrix x = normal_matrix(50, 3, 2);
  for (const double delta : {0.0, 0.01, 10.0}) {
    for (const double tolerance : {1e-3, 1e-9}) {
      const ShiftedPreconditioner p(k, delta, {.tolerance = tolerance});
      EXPECT_EQ(p.size(), 50);
      Matrix z(50, 3);
      p.apply(x, z);
      const Matrix residual = x - k.matrix() * z - delta * z;
      EXPECT_LT(residual.colwise().norm().maxCoeff(), tolerance) << delta;
    }
  }
}

TEST(ShiftedPreconditioner, ResultMayOverwriteItsArgument) {
  const MatrixOperator k(random_spd(30, 100, 3));
  const ShiftedPreconditioner p(k, 0.1, {});
  const Matrix x = normal_matrix(30, 2, 4);
  Matrix z(30, 2), in_place = x;
  p.apply(x, z);
  p.apply(in_place, in_place);
  EXPECT_EQ(z, in_place);
}

TEST(ShiftedPreconditioner, CountsWhatTheInnerSolvesCost) {
  const MatrixOperator k(random_spd(30, 100, 5));
  const CountingOperator counted(k);
  const ShiftedPreconditioner p(counted, 0.1, {});
  EXPECT_EQ(p.inner_products(), 0);
  Matrix z(30, 2);
  p.apply(normal_matrix(30, 2, 6), z);
  EXPECT_EQ(p.inner_products(), counted.products());
  EXPECT_GT(p.inner_iterations(), 0);
  const long first = p.inner_iterations();
  p.apply(normal_matrix(30, 2, 6), z);
  EXPECT_EQ(p.inner_products(), counted.products());
  EXPECT_EQ(p.inner_iterations(), 2 * first);
}

TEST(ShiftedPreconditioner, AShiftThatIsNegativeOrNotFiniteIsRefused) {
  const MatrixOperator k(Matrix::Identity(5, 5));
  for (const double delta :
       {-0.1, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(ShiftedPreconditioner(k, delta, {}), std::invalid_argument) << delta;
  }
}

// On 300 rows of Concrete; returns the outer iterations.
int outer_iterations(const LinearOperator* preconditioner) {
  const auto k = concrete_covariance("cached", 300);
  Matrix b(300, 3), x = Matrix::Zero(300, 3), product(300, 3);
  Rng rng = stream(7, 0, Purpose::probes);
  b << concrete().y.head(300), rng.rademacher_vector(300), rng.rademacher_vector(300);
  const auto summary = conjugate_gradients(*k, preconditioner, b, x);
  EXPECT_EQ(summary.stop, Stop::converged) << to_string(summary.stop) << summary.message;
  k->apply(x, product);
  EXPECT_LT((b - product).colwise().norm().maxCoeff(), 1e-8);
  return summary.iterations;
}

TEST(ShiftedPreconditioner, NeedsFewerOuterIterationsOnConcrete) {
  const auto k = concrete_covariance("cached", 300);
  const double lambda = k->noise()(0);
  const int plain = outer_iterations(nullptr);
  int last = 0;
  for (const double delta : {lambda, 10 * lambda, 100 * lambda}) {
    const ShiftedPreconditioner p(*k, delta, {.tolerance = 0, .relative_tolerance = 1e-6});
    const int outer = outer_iterations(&p);
    EXPECT_LT(2 * outer, plain) << delta;
    EXPECT_GT(outer, last) << "a larger shift is a worse preconditioner";
    EXPECT_GT(p.inner_iterations(), outer);
    EXPECT_GE(p.inner_products(), p.inner_iterations());
    last = outer;
  }
}

TEST(ShiftedPreconditioner, InnerSolvesMayBeInFloat) {
  const auto k_float = concrete_covariance("dense-float", 300);
  const ShiftedPreconditioner p(*k_float, 5 * k_float->noise()(0),
                                {.tolerance = 0, .relative_tolerance = 1e-4});
  EXPECT_LT(2 * outer_iterations(&p), outer_iterations(nullptr));
}

// The preconditioner then changes from one call to the next.
TEST(ShiftedPreconditioner, InnerSolvesMayBeRough) {
  const auto k = concrete_covariance("cached", 300);
  const ShiftedPreconditioner p(*k, k->noise()(0), {.tolerance = 0, .relative_tolerance = 0.1});
  EXPECT_LT(outer_iterations(&p), outer_iterations(nullptr));
}

}  // namespace
}  // namespace ulisse
