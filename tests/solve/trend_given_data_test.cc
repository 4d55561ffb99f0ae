// The coefficients of a trend against generalised least squares.

#include "solve/trend_given_data.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/plain_model.h"
#include "support/random_kernels.h"
#include "support/statistics.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::ExtendedMatrix;
using testing::ExtendedVector;
using testing::mixed_table;
using testing::PlainModel;

// Rows that a textbook's K and H are of.
struct Rows {
  explicit Rows(unsigned seed, double scale = 2) : data(mixed_table(60, seed)) {
    ModelOptions options{.kernel = testing::RandomKernels(seed).expression(),
                         .trend = {"east", "day"}};
    options.trend_scale = scale;
    model = make_model(options, data);
    psi = testing::random_psi(model, seed);
    const PlainModel plain(model, psi);
    k = plain.covariance(data.x, false);
    h = plain.basis(data.x);
    y = data.y.cast<testing::Extended>();
  }

  TrendGivenData trend() const {
    const Eigen::LLT<ExtendedMatrix> factor(k);
    const ExtendedMatrix gram = h.transpose() * factor.solve(h);
    const ExtendedVector right = h.transpose() * factor.solve(y);
    return {model.mean, gram.cast<double>(), right.cast<double>()};
  }

  Dataset data;
  Model model;
  Vector psi;
  ExtendedMatrix k, h;
  ExtendedVector y;
};

// Hardly any prior: Aitken's estimate (H'K^-1 H)^-1 H'K^-1 y, and its covariance.
TEST(TrendGivenData, IsGeneralisedLeastSquaresWhereThePriorIsWide) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Rows rows(seed, 1e5);
    const ExtendedMatrix inverse = rows.k.inverse();
    const ExtendedMatrix spread = (rows.h.transpose() * inverse * rows.h).inverse();
    const ExtendedVector estimate = spread * rows.h.transpose() * inverse * rows.y;
    const TrendGivenData trend = rows.trend();
    ASSERT_EQ(trend.size(), 3);
    for (Index c = 0; c < 3; ++c) {
      const double sd = std::sqrt(static_cast<double>(spread(c, c)));
      EXPECT_NEAR(trend.mean()(c), static_cast<double>(estimate(c)), 1e-6 * sd);
      EXPECT_NEAR(std::sqrt(trend.covariance()(c, c)), sd, 1e-6 * sd);
    }
  }
}

// The coefficients and y are normal together: B H' and K + H B H' say what y says of them.
TEST(TrendGivenData, IsTheConditionalDistributionUnderThePrior) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Rows rows(seed);
    const testing::Extended b = 4;
    const ExtendedMatrix all = rows.k + b * rows.h * rows.h.transpose();
    const Eigen::LLT<ExtendedMatrix> factor(all);
    const ExtendedVector mean = b * rows.h.transpose() * factor.solve(rows.y);
    const ExtendedMatrix covariance =
        b * ExtendedMatrix::Identity(3, 3) - b * b * rows.h.transpose() * factor.solve(rows.h);
    const TrendGivenData trend = rows.trend();
    EXPECT_LE((trend.mean() - mean.cast<double>()).norm(), 1e-10);
    EXPECT_LE((trend.covariance() - covariance.cast<double>()).norm(), 1e-10);
    const ExtendedMatrix l = factor.matrixL();
    const ExtendedMatrix own = Eigen::LLT<ExtendedMatrix>(rows.k).matrixL();
    const testing::Extended determinant =
        2 * (l.diagonal().array().log().sum() - own.diagonal().array().log().sum());
    EXPECT_NEAR(trend.log_determinant(), static_cast<double>(determinant), 1e-10);
    const testing::Extended explained =
        rows.y.dot(rows.k.inverse() * rows.y) - rows.y.dot(factor.solve(rows.y));
    EXPECT_NEAR(trend.explained(), static_cast<double>(explained), 1e-8);
  }
}

TEST(TrendGivenData, WhitenedColumnsHaveTheProductsOfTheInverse) {
  const TrendGivenData trend = Rows(1).trend();
  const Matrix z = testing::normal_matrix(3, 4, 2), whitened = trend.whitened(z);
  EXPECT_LE((whitened.transpose() * whitened - z.transpose() * trend.covariance() * z).norm(),
            1e-12);
}

// 20,000 draws; each comparison raises a false alarm once in a million.
TEST(TrendGivenData, DrawsHaveTheirMeanAndCovariance) {
  const TrendGivenData trend = Rows(2).trend();
  Rng rng = stream(5, 0, Purpose::simulation);
  Matrix draws(20'000, 3);
  for (Index i = 0; i < draws.rows(); ++i) draws.row(i) = trend.draw(rng.normal_vector(3));
  const Matrix covariance = trend.covariance();
  for (Index c = 0; c < 3; ++c) {
    const double sd = std::sqrt(covariance(c, c));
    EXPECT_LT(std::abs(testing::z_score(draws.col(c), trend.mean()(c), sd)),
              testing::kOneInAMillion);
    for (Index e = 0; e <= c; ++e) {
      const Vector products =
          (draws.col(c).array() - trend.mean()(c)) * (draws.col(e).array() - trend.mean()(e));
      const double spread =
          std::sqrt(covariance(c, c) * covariance(e, e) + covariance(c, e) * covariance(c, e));
      EXPECT_LT(std::abs(testing::z_score(products, covariance(c, e), spread)),
                testing::kOneInAMillion);
    }
  }
}

TEST(TrendGivenData, NoTrendHasNoCoefficientsAndAddsNothing) {
  const TrendGivenData none(Mean{}, Matrix(0, 0), Vector(0));
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.log_determinant(), 0);
  EXPECT_EQ(none.explained(), 0);
  EXPECT_EQ(none.draw(Vector(0)).size(), 0);
  EXPECT_EQ(none.whitened(Matrix(0, 3)).cols(), 3);
}

}  // namespace
}  // namespace ulisse
