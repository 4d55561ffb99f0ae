// Vector work on blocks with many rows.

#include "solve/column_work.h"

#include <gtest/gtest.h>

#include "support/random_points.h"
#include "support/thread_counts.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;

constexpr Index kManyRows = 70'001;

TEST(ColumnWork, DotsAreThoseOfEigenOnAnyThreads) {
  for (const Index rows : {Index(100), kManyRows}) {
    const Matrix a = Matrix::Random(rows, 3), b = Matrix::Random(rows, 3);
    const Vector dots = column_dots(a, b);
    for (Index c = 0; c < 3; ++c) EXPECT_NEAR(dots(c), a.col(c).dot(b.col(c)), 1e-9) << rows;
    expect_same_bits_on_any_threads([&] { return column_dots(a, b); });
  }
}

TEST(ColumnWork, EveryRowIsInOnePiece) {
  Matrix seen = Matrix::Zero(kManyRows, 2);
  const Vector rows = sum_by_column(kManyRows, 2, [&](Index first, Index count, Index c) {
    seen.col(c).segment(first, count).array() += 1;
    return static_cast<double>(count);
  });
  EXPECT_EQ(seen, Matrix::Ones(kManyRows, 2));
  EXPECT_EQ(rows, Vector::Constant(2, kManyRows));
}

// Eigenvalues between 1 and 3.
class Diagonal : public LinearOperator {
 public:
  Index size() const override { return kManyRows; }
  void apply(const ConstBlock& x, Block y) const override {
    y = x.array().colwise() * values_.array();
  }

 private:
  Vector values_ = Vector::LinSpaced(kManyRows, 1, 3);
};

TEST(ConjugateGradients, SolveManyRowsToTheSameBitsOnAnyThreads) {
  const Diagonal a;
  const Matrix b = Matrix::Random(kManyRows, 2);
  const auto solution = [&] {
    Matrix x = Matrix::Zero(kManyRows, 2);
    EXPECT_EQ(conjugate_gradients(a, nullptr, b, x, {.tolerance = 1e-6}).stop, Stop::converged);
    return x;
  };
  Matrix product(kManyRows, 2);
  a.apply(solution(), product);
  EXPECT_LT((product - b).colwise().norm().maxCoeff(), 1e-6);
  expect_same_bits_on_any_threads(solution);
}

}  // namespace
}  // namespace ulisse
