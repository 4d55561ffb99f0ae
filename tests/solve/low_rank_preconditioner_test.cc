// P = L L' + lambda I against dense algebra.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "support/random_points.h"
#include "support/statistics.h"
#include "support/thread_counts.h"
#include "ulisse/preconditioner.h"

namespace ulisse {
namespace {

using testing::expect_same_bits_on_any_threads;
using testing::normal_matrix;

Matrix dense(const Matrix& l, double lambda) {
  return l * l.transpose() + lambda * Matrix::Identity(l.rows(), l.rows());
}

struct Size {
  Index n, rank;
};
const Size kSizes[] = {{1, 0}, {1, 1}, {20, 0}, {20, 1}, {20, 7}, {20, 20}, {130, 65}, {600, 30}};

TEST(LowRankPreconditioner, ApplyIsTheInverse) {
  for (const auto& [n, rank] : kSizes) {
    const Matrix l = normal_matrix(n, rank, 1), x = normal_matrix(n, 3, 2);
    const LowRankPreconditioner p(l, 0.3);
    EXPECT_EQ(p.size(), n);
    EXPECT_EQ(p.rank(), rank);
    Matrix y(n, 3);
    p.apply(x, y);
    EXPECT_LT((dense(l, 0.3) * y - x).norm(), 1e-10 * x.norm()) << n << " x " << rank;
  }
}

TEST(LowRankPreconditioner, TheLogDeterminantIsThatOfTheMatrix) {
  for (const auto& [n, rank] : kSizes) {
    const Matrix l = normal_matrix(n, rank, 3);
    for (const double lambda : {1e-6, 0.3, 1e6}) {
      const Eigen::LLT<Matrix> factor(dense(l, lambda));
      const double expected = 2 * Matrix(factor.matrixL()).diagonal().array().log().sum();
      EXPECT_NEAR(LowRankPreconditioner(l, lambda).log_determinant(), expected,
                  1e-9 * (1 + std::abs(expected)))
          << n << " x " << rank << ", lambda " << lambda;
    }
  }
}

// (x - Q Q'x) / lambda cancels within the span of L: the error grows as 1/lambda, not faster.
TEST(LowRankPreconditioner, ASmallNoiseKeepsTheInverseAccurateAndPositive) {
  const Matrix l = normal_matrix(40, 5, 4), x = normal_matrix(40, 3, 5);
  for (const double lambda : {1e-4, 1e-8, 1e-12}) {
    const LowRankPreconditioner p(l, lambda);
    Matrix y(40, 3);
    p.apply(x, y);
    EXPECT_LT((dense(l, lambda) * y - x).norm(), 1e-12 / lambda * x.norm()) << lambda;
    for (Index c = 0; c < 3; ++c) EXPECT_GT(x.col(c).dot(y.col(c)), 0) << lambda;
  }
}

TEST(LowRankPreconditioner, ResultMayOverwriteItsArgument) {
  const LowRankPreconditioner p(normal_matrix(30, 4, 6), 0.1);
  const Matrix x = normal_matrix(30, 3, 7);
  Matrix y(30, 3), in_place = x;
  p.apply(x, y);
  p.apply(in_place, in_place);
  EXPECT_EQ(y, in_place);
}

TEST(LowRankPreconditioner, ANoiseThatIsNotPositiveAndFiniteIsRefused) {
  const Matrix l = normal_matrix(10, 2, 8);
  for (const double lambda : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(LowRankPreconditioner(l, lambda), std::invalid_argument) << lambda;
  }
}

// Whitened by the Cholesky factor of P, samples are standard normal: the 20 variances have standard
// error sqrt(2/N), the 190 covariances and 20 means sqrt(1/N). 230 comparisons with |z| < 5.9: a
// false alarm once in a million.
TEST(LowRankPreconditioner, SamplesHaveItsCovariance) {
  const Index n = 20, count = 20'000;
  for (const Index rank : {0, 4, 20}) {
    const Matrix l = normal_matrix(n, rank, 9);
    Rng rng = stream(10, 0, Purpose::probes);
    const Matrix samples = LowRankPreconditioner(l, 0.3).sample(count, rng);
    const Matrix white = dense(l, 0.3).llt().matrixL().solve(samples);
    const double root = std::sqrt(static_cast<double>(count));
    Matrix z =
        root * (white * white.transpose() / static_cast<double>(count) - Matrix::Identity(n, n));
    z.diagonal() /= std::sqrt(2);
    EXPECT_LT(z.cwiseAbs().maxCoeff(), 5.9) << "rank " << rank;
    EXPECT_LT((root * white.rowwise().mean()).cwiseAbs().maxCoeff(), 5.9) << "rank " << rank;
  }
}

TEST(LowRankPreconditioner, SamplesRepeatWithTheirStream) {
  const LowRankPreconditioner p(normal_matrix(30, 4, 11), 0.1);
  const auto sample = [&](std::uint64_t iteration) {
    Rng rng = stream(1, 0, Purpose::probes, iteration);
    return p.sample(3, rng);
  };
  EXPECT_EQ(sample(0), sample(0));
  EXPECT_NE(sample(0), sample(1));
}

TEST(LowRankPreconditioner, ThreadsDoNotChangeASingleBit) {
  const Matrix l = normal_matrix(1500, 150, 12), x = normal_matrix(1500, 5, 13);
  expect_same_bits_on_any_threads([&] {
    const LowRankPreconditioner p(l, 0.2);
    Matrix y(1500, 5);
    p.apply(x, y);
    Rng rng = stream(1, 0, Purpose::probes);
    y += p.sample(5, rng);
    return y;
  });
}

TEST(LowRankPreconditioner, NoiseThatDiffersFromRowToRowIsInverted) {
  const Matrix l = normal_matrix(40, 5, 21);
  const Vector noise = (normal_matrix(40, 1, 22).array() * 2).exp();  // over some four decades
  const LowRankPreconditioner p(l, noise);
  const Matrix whole = l * l.transpose() + Matrix(noise.asDiagonal());
  Matrix found(40, 40);
  p.apply(whole, found);
  EXPECT_LE((found - Matrix::Identity(40, 40)).cwiseAbs().maxCoeff(), 1e-9);
  const double expected = 2 * Matrix(whole.llt().matrixL()).diagonal().array().log().sum();
  EXPECT_NEAR(p.log_determinant(), expected, 1e-9 * std::abs(expected));
  const Matrix inverse = Matrix(noise.cwiseInverse().asDiagonal()) -
                         p.projection() * p.projection().transpose() / p.least_noise();
  EXPECT_LE((whole * inverse - Matrix::Identity(40, 40)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LowRankPreconditioner, NoiseOfAnotherNumberOfRowsIsRefused) {
  EXPECT_THROW(LowRankPreconditioner(normal_matrix(30, 4, 6), Vector::Ones(29)),
               std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
