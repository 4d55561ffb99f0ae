// The Gaussian around the mode, as a density of psi.

#include "sample/approximate_density.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ulisse {
namespace {

double integral(const ApproximateDensity& density) {
  constexpr double kStep = 1e-3;
  double sum = 0;
  for (double psi = -20; psi < 20; psi += kStep) {
    sum += kStep * std::exp(density.at(Vector::Constant(1, psi)));
  }
  return sum;
}

// Whatever the coordinates, the mass is that of N(0.1, 0.3) without its constant.
TEST(ApproximateDensity, IsOfPsiInAnyCoordinates) {
  const Vector centre = Vector::Constant(1, 0.1);
  const Matrix metric = Matrix::Constant(1, 1, 0.3);
  for (const double exponent : {0.0, 1.0 / 3, -0.5}) {
    const Coordinates coordinates(Vector::Constant(1, 0.7), Vector::Constant(1, exponent));
    EXPECT_NEAR(integral({coordinates, centre, metric}), std::sqrt(2 * M_PI * 0.3), 1e-6);
  }
}

TEST(ApproximateDensity, FallsByHalfTheSquaredDistanceInUnitsOfTheMetric) {
  const Vector mode = (Vector(2) << 1, -2).finished();
  const Matrix metric = (Matrix(2, 2) << 2, 0.5, 0.5, 1).finished();
  const ApproximateDensity density(Coordinates(mode), Vector::Zero(2), metric);
  const Vector off = (Vector(2) << 0.3, -0.4).finished();
  EXPECT_NEAR(density.at(mode), 0, 1e-15);
  EXPECT_NEAR(density.at(mode + off), -0.5 * off.dot(metric.inverse() * off), 1e-14);
}

}  // namespace
}  // namespace ulisse
