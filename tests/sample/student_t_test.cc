// The multivariate Student-t distribution: draws and density belong together.

#include "sample/student_t.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/students_t.hpp>

#include "support/matrix_operator.h"
#include "support/statistics.h"

namespace ulisse {
namespace {

using testing::kKolmogorovOneInAMillion;
using testing::kolmogorov_smirnov;
using testing::matrix_with_spectrum;

// Any projection (psi - centre)'a / sqrt(a' Sigma a) has the t distribution in one dimension. A
// false alarm once in a million for each.
TEST(StudentT, ProjectionsOfDrawsHaveATDistribution) {
  const Matrix scale = matrix_with_spectrum(Vector{{0.1, 1, 3}}, 1);
  const Vector centre{{1, -2, 0.5}};
  const StudentT student(centre, scale, 5);
  const boost::math::students_t marginal(5);
  Rng rng = stream(1, 0, Purpose::simulation);
  Matrix draws(50'000, 3);
  for (Index i = 0; i < draws.rows(); ++i) draws.row(i) = student.draw(rng).transpose();
  for (const Vector& a : {Vector{{1, 0, 0}}, Vector{{0, 0, 1}}, Vector{{1, -1, 2}}}) {
    const Vector projection =
        ((draws.rowwise() - centre.transpose()) * a) / std::sqrt(a.dot(scale * a));
    const auto cdf = [&](double x) { return boost::math::cdf(marginal, x); };
    EXPECT_LT(kolmogorov_smirnov(projection, cdf), kKolmogorovOneInAMillion) << a.transpose();
  }
}

TEST(StudentT, InOneDimensionTheDensityIsTheTextbooks) {
  const StudentT student(Vector::Constant(1, 2), Matrix::Constant(1, 1, 9), 5);
  const boost::math::students_t textbook(5);
  const auto log_ratio = [&](double x) {
    return student.log_density(Vector::Constant(1, x)) -
           std::log(boost::math::pdf(textbook, (x - 2) / 3));
  };
  for (const double x : {-50.0, -1.0, 3.0, 20.0}) EXPECT_NEAR(log_ratio(x), log_ratio(2), 1e-12);
}

// E_q[p(psi) / q(psi)] is the ratio of the constants of p and q, here for p that is q moved and
// narrowed: 8 times the constant in three dimensions.
TEST(StudentT, DrawsHaveTheDensity) {
  const Matrix scale = matrix_with_spectrum(Vector{{0.1, 1, 3}}, 2);
  const StudentT wide(Vector::Zero(3), scale, 5);
  const StudentT narrow(0.2 * scale.diagonal(), 0.25 * scale, 5);
  Rng rng = stream(2, 0, Purpose::simulation);
  Vector weights(100'000);
  for (double& weight : weights) {
    const Vector psi = wide.draw(rng);
    weight = 8 * std::exp(narrow.log_density(psi) - wide.log_density(psi));
  }
  const double sd = std::sqrt((weights.array() - weights.mean()).square().mean());
  EXPECT_LT(std::abs(testing::z_score(weights, 1, sd)), testing::kOneInAMillion);
}

TEST(StudentT, WhatIsNoDistributionIsMisuse) {
  const Matrix identity = Matrix::Identity(2, 2);
  EXPECT_THROW(StudentT(Vector::Zero(3), identity, 5), std::invalid_argument);
  EXPECT_THROW(StudentT(Vector::Zero(2), identity, 0), std::invalid_argument);
  EXPECT_THROW(StudentT(Vector::Zero(2), -identity, 5), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
