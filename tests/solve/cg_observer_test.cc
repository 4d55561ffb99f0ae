// Observers see the solution grow, and can end a column.

#include <gtest/gtest.h>

#include "support/matrix_operator.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::CountingOperator;
using testing::MatrixOperator;
using testing::normal_matrix;
using testing::random_spd;

// Adds up what it sees, and ends `truncated` after `limit` updates.
class Recorder : public CgObserver {
 public:
  explicit Recorder(Matrix start, Index truncated = -1, int limit = 0)
      : sum(std::move(start)),
        updates(static_cast<std::size_t>(sum.cols())),
        truncated_(truncated),
        limit_(limit) {}

  bool update(Index column, int iteration, double step, const ConstVector& direction,
              double residual) override {
    sum.col(column) += step * direction;
    EXPECT_EQ(iteration, ++updates[column]) << "column " << column;
    last_residual = residual;
    return column != truncated_ || updates[column] < limit_;
  }

  Matrix sum;
  std::vector<int> updates;
  double last_residual = 0;

 private:
  Index truncated_;
  int limit_;
};

TEST(CgObserver, UpdatesSumToTheSolution) {
  const MatrixOperator a(random_spd(50, 1e4, 1)), p(random_spd(50, 5, 2));
  const Matrix b = normal_matrix(50, 4, 3);
  for (const Matrix& start : {Matrix(Matrix::Zero(50, 4)), normal_matrix(50, 4, 4)}) {
    for (const LinearOperator* preconditioner :
         {(const LinearOperator*)nullptr, (const LinearOperator*)&p}) {
      Recorder recorder(start);
      Matrix x = start;
      const auto summary = conjugate_gradients(a, preconditioner, b, x, {.observer = &recorder});
      EXPECT_LT((recorder.sum - x).norm(), 1e-13 * x.norm());
      for (Index c = 0; c < 4; ++c) {
        EXPECT_EQ(recorder.updates[c], summary.columns[c].iterations);
      }
    }
  }
}

TEST(CgObserver, SeesTheResidualAfterTheUpdate) {
  const MatrixOperator a(random_spd(30, 50, 5));
  const Matrix b = normal_matrix(30, 1, 6);
  for (const int limit : {1, 2, 7}) {
    Recorder recorder(Matrix::Zero(30, 1), 0, limit);
    Matrix x = Matrix::Zero(30, 1);
    conjugate_gradients(a, nullptr, b, x, {.observer = &recorder});
    EXPECT_NEAR(recorder.last_residual, (b - a.matrix() * x).norm(), 1e-12);
  }
}

TEST(CgObserver, EndsAColumnWithoutDisturbingTheOthers) {
  const MatrixOperator a(random_spd(50, 1e4, 7)), p(random_spd(50, 5, 8));
  const Matrix b = normal_matrix(50, 4, 9);
  Matrix undisturbed = Matrix::Zero(50, 4);
  conjugate_gradients(a, &p, b, undisturbed);
  for (const Index ended : {0, 2, 3}) {
    Recorder recorder(Matrix::Zero(50, 4), ended, 6);
    Matrix x = Matrix::Zero(50, 4);
    const auto summary = conjugate_gradients(a, &p, b, x, {.observer = &recorder});
    EXPECT_EQ(summary.stop, Stop::truncated);
    EXPECT_EQ(summary.columns[ended].stop, Stop::truncated);
    EXPECT_EQ(summary.columns[ended].iterations, 6);
    for (Index c = 0; c < 4; ++c) {
      if (c == ended) continue;
      EXPECT_EQ(summary.columns[c].stop, Stop::converged);
      EXPECT_EQ(x.col(c), undisturbed.col(c)) << "column " << c << " without " << ended;
    }
  }
}

TEST(CgObserver, AnEndedColumnCostsNothingMore) {
  const MatrixOperator a(random_spd(50, 1e4, 10));
  const CountingOperator counted(a);
  Recorder recorder(Matrix::Zero(50, 1), 0, 3);
  Matrix x = Matrix::Zero(50, 1);
  const auto summary =
      conjugate_gradients(counted, nullptr, normal_matrix(50, 1, 11), x, {.observer = &recorder});
  EXPECT_EQ(counted.products(), 3);
  EXPECT_EQ(summary.products, 3);
  EXPECT_EQ(recorder.sum, x);
}

TEST(CgObserver, DoesNotChangeTheSolve) {
  const MatrixOperator a(random_spd(50, 1e4, 12));
  const Matrix b = normal_matrix(50, 3, 13);
  Recorder recorder(Matrix::Zero(50, 3));
  Matrix x = Matrix::Zero(50, 3), unseen = Matrix::Zero(50, 3);
  conjugate_gradients(a, nullptr, b, x, {.observer = &recorder});
  conjugate_gradients(a, nullptr, b, unseen);
  EXPECT_EQ(x, unseen);
}

}  // namespace
}  // namespace ulisse
