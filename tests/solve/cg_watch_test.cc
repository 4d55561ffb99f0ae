// What a solve says of itself while it runs, and that it can be stopped.

#include <gtest/gtest.h>

#include "support/error_message.h"
#include "support/matrix_operator.h"
#include "support/random_points.h"
#include "support/watches.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

// Eigenvalues from 1 to 1000.
Matrix slow_matrix() { return Vector::LinSpaced(60, 1, 1000).asDiagonal(); }

TEST(CgWatch, SaysHowFarItIsInEachIteration) {
  const testing::MatrixOperator a(slow_matrix());
  Matrix b = normal_matrix(60, 2, 1), x = Matrix::Zero(60, 2);
  testing::Listening watch;
  const WatchScope scope(watch);
  const auto summary =
      conjugate_gradients(a, nullptr, b, x, {.tolerance = 1e-3, .max_iterations = 99});
  ASSERT_EQ(summary.stop, Stop::converged);
  ASSERT_GE(watch.shown.size(), static_cast<std::size_t>(summary.iterations));
  EXPECT_TRUE(watch.shown[0].starts_with("iteration 1 of at most 99, residual ")) << watch.shown[0];
  EXPECT_TRUE(watch.shown[0].ends_with(" on its way to 1.0e-03")) << watch.shown[0];
}

TEST(CgWatch, StopsWithinAnIteration) {
  const testing::MatrixOperator a(slow_matrix());
  const Matrix b = normal_matrix(60, 1, 1);
  Matrix x = Matrix::Zero(60, 1);
  testing::StopAfter watch(5);
  const WatchScope scope(watch);
  EXPECT_THROW(conjugate_gradients(a, nullptr, b, x), WorkStopped);
  EXPECT_LE(watch.shown.size(), 5u);
}

TEST(CgWatch, ChangesNothing) {
  const testing::MatrixOperator a(slow_matrix());
  const Matrix b = normal_matrix(60, 2, 1);
  Matrix alone = Matrix::Zero(60, 2), watched = alone;
  conjugate_gradients(a, nullptr, b, alone);
  testing::Listening watch;
  const WatchScope scope(watch);
  conjugate_gradients(a, nullptr, b, watched);
  EXPECT_EQ(alone, watched);
}

}  // namespace
}  // namespace ulisse
