// Roots of covariances that are singular, nearly so, or only nearly covariances.

#include "predict/covariance_root.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

double largest(const Matrix& m) { return m.cwiseAbs().maxCoeff(); }

// Of an rbf kernel on a fine grid: its eigenvalues fall below rounding after a dozen.
Matrix smooth_covariance(Index m) {
  Matrix c(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      c(i, j) =
          std::exp(-0.5 * std::pow(4.0 * static_cast<double>(i - j) / static_cast<double>(m), 2));
    }
  }
  return c;
}

Matrix symmetric_noise(Index m, double size) {
  const Matrix noise = size * normal_matrix(m, m, 3);
  return (noise + noise.transpose()) / std::sqrt(2);
}

TEST(CovarianceRoot, OfAFullRankIsAFactor) {
  for (const Index m : {1, 2, 63, 64, 65, 200}) {
    const Matrix half = normal_matrix(m, m + 5, 1);
    const Matrix c = half * half.transpose();
    const Matrix root = covariance_root(c);
    EXPECT_EQ(root.cols(), m);
    EXPECT_LT(largest(root * root.transpose() - c), 1e-12 * c.diagonal().maxCoeff()) << m;
  }
}

TEST(CovarianceRoot, OfALowRankHasIt) {
  for (const Index rank : {0, 1, 64, 70}) {
    const Matrix half = normal_matrix(150, rank, 2);
    const Matrix c = half * half.transpose();
    const Matrix root = covariance_root(c);
    EXPECT_EQ(root.cols(), rank);
    EXPECT_LT(largest(root * root.transpose() - c), 1e-12 * (1 + static_cast<double>(rank)));
  }
}

TEST(CovarianceRoot, OfNothingIsNothing) {
  EXPECT_EQ(covariance_root(Matrix(0, 0)).size(), 0);
  EXPECT_EQ(covariance_root(Matrix::Zero(3, 3)).cols(), 0);
  EXPECT_EQ(covariance_root(Matrix::Constant(1, 1, -1e-18)).cols(), 0);
}

TEST(CovarianceRoot, ReadsTheLowerTriangle) {
  const Matrix half = normal_matrix(40, 50, 1);
  const Matrix c = half * half.transpose();
  Matrix lower = c.triangularView<Eigen::Lower>();
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(NAN);
  EXPECT_EQ(covariance_root(lower), covariance_root(c));
}

TEST(CovarianceRoot, OfPointsThatComeTwiceGivesThemTheSameValue) {
  Matrix c = smooth_covariance(50);
  c.row(7) = c.row(31);
  c.col(7) = c.col(31);
  const Matrix root = covariance_root(c);
  EXPECT_LT((root.row(7) - root.row(31)).norm(), 1e-8);
}

// Negative pivots that were taken for 0 made variances of smooth functions up to six times too
// large: the columns below a pivot that is an error have no bound.
TEST(CovarianceRoot, ErrorsOfACovarianceDoNotGrow) {
  for (const Index m : {20, 181, 1000}) {
    for (const double size : {0.0, 1e-15, 1e-12, 1e-9, 1e-6}) {
      const Matrix c = smooth_covariance(m) + symmetric_noise(m, size);
      const Matrix root = covariance_root(c);
      const Vector variances = root.rowwise().squaredNorm();
      // Rounding of the products beside errors as large as the largest of m^2 normal ones.
      const double allowed = 30 * (size * 5 + 1e-15 * static_cast<double>(m));
      EXPECT_LT(largest(variances - c.diagonal()), allowed) << m << " " << size;
      EXPECT_LT(largest(root * root.transpose() - c), 3 * allowed) << m << " " << size;
      EXPECT_LT(root.cols(), size > 0 ? 40 : 60);
    }
  }
}

// Pivots were cut at rounding times the number of points: samples at points among the data, where
// variances are small, were half as wide as they should be when points far away were asked for,
// too.
TEST(CovarianceRoot, ManyPointsFarFromTheDataDoNotNarrowThoseAmongThem) {
  constexpr Index kNear = 20, kFar = 1500;
  constexpr double kSmall = 2e-13;  // 900 times the rounding of 1
  Matrix c = Matrix::Identity(kNear + kFar, kNear + kFar);
  c.topLeftCorner(kNear, kNear) *= kSmall;
  const Matrix root = covariance_root(c);
  const Vector ratios = root.topRows(kNear).rowwise().squaredNorm() / kSmall;
  EXPECT_LT((ratios.array() - 1).abs().maxCoeff(), 1e-6);
}

TEST(CovarianceRoot, AVarianceThatRoundingMadeNegativeIsNone) {
  Matrix c = smooth_covariance(30);
  c.row(4).setConstant(1e-15);
  c.col(4).setConstant(1e-15);
  c(4, 4) = -1e-15;
  const Matrix root = covariance_root(c);
  EXPECT_LT(root.row(4).norm(), 1e-7);
  EXPECT_LT(largest(root * root.transpose() - c), 1e-12);
}

}  // namespace
}  // namespace ulisse
