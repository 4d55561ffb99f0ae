// The leapfrog integrator: reversible, keeps volumes, second order in energy.

#include "sample/leapfrog.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "support/densities.h"

namespace ulisse {
namespace {

using testing::Banana;
using testing::matrix_with_spectrum;
using testing::TruncatedGaussian;

const Matrix kCovariance = matrix_with_spectrum(Vector{{0.3, 2}}, 3);

PhasePoint start() {
  PhasePoint z = at_rest(Banana(), Vector{{0.7, -0.2}});
  z.momentum = Vector{{0.4, -1.1}};
  return z;
}

PhasePoint after(int steps, double step, PhasePoint z) {
  const DenseMetric metric(kCovariance);
  for (int i = 0; i < steps; ++i) leapfrog(Banana(), metric, step, z);
  return z;
}

TEST(Leapfrog, GoesBackTheWayItCame) {
  const PhasePoint there = after(20, 0.1, start()), back = after(20, -0.1, there);
  EXPECT_GT((there.psi - start().psi).norm(), 0.1);
  EXPECT_LT((back.psi - start().psi).norm(), 1e-12);
  EXPECT_LT((back.momentum - start().momentum).norm(), 1e-12);
  EXPECT_NEAR(back.log_density, start().log_density, 1e-12);
}

TEST(Leapfrog, TurningTheMomentumRoundGoesBackToo) {
  PhasePoint there = after(20, 0.1, start());
  there.momentum *= -1;
  EXPECT_LT((after(20, 0.1, there).psi - start().psi).norm(), 1e-12);
}

// The Jacobian of (psi, p) -> (psi', p') by central differences has determinant 1.
TEST(Leapfrog, KeepsVolumes) {
  const double h = 1e-5;
  Matrix jacobian(4, 4);
  for (Index j = 0; j < 4; ++j) {
    const auto moved = [&](double by) {
      PhasePoint z = start();
      (j < 2 ? z.psi(j) : z.momentum(j - 2)) += by;
      z.gradient = Banana().log_density_and_gradient(z.psi).gradient;
      z = after(3, 0.3, z);
      return (Vector(4) << z.psi, z.momentum).finished();
    };
    jacobian.col(j) = (moved(h) - moved(-h)) / (2 * h);
  }
  EXPECT_NEAR(jacobian.determinant(), 1, 1e-7);
}

TEST(Leapfrog, EnergyErrorFallsWithTheSquareOfTheStep) {
  const DenseMetric metric(kCovariance);
  const auto error = [&](int steps) {
    return after(steps, 1.0 / steps, start()).energy(metric) - start().energy(metric);
  };
  EXPECT_GT(std::abs(error(20)), 1e-5) << "no error to measure";
  EXPECT_NEAR(error(20) / error(40), 4, 0.2);
  EXPECT_NEAR(error(40) / error(80), 4, 0.1);
}

// The velocity is Sigma p: with the flat start of a density, one step moves by step * Sigma p.
TEST(Leapfrog, VelocityIsTheCovarianceTimesTheMomentum) {
  PhasePoint z = start();
  z.gradient.setZero();
  leapfrog(Banana(), DenseMetric(kCovariance), 0.1, z);
  EXPECT_LT((z.psi - start().psi - 0.1 * kCovariance * start().momentum).norm(), 1e-15);
}

TEST(Leapfrog, ARejectedPointHasInfiniteEnergy) {
  const DenseMetric metric(Matrix::Identity(2, 2));
  PhasePoint z = at_rest(TruncatedGaussian(), Vector::Zero(2));
  z.momentum = Vector{{-3, 0}};
  leapfrog(TruncatedGaussian(), metric, 1, z);
  EXPECT_TRUE(z.rejected());
  EXPECT_EQ(z.energy(metric), std::numeric_limits<double>::infinity());
}

// 100,000 momenta; a false alarm once in a million for each entry.
TEST(DenseMetric, MomentaHaveTheInverseCovariance) {
  const DenseMetric metric(kCovariance);
  const Matrix expected = kCovariance.inverse();
  Matrix sum = Matrix::Zero(2, 2);
  Rng rng = stream(2, 0, Purpose::simulation);
  const double n = 100'000;
  for (int i = 0; i < static_cast<int>(n); ++i) {
    const Vector p = metric.draw_momentum(rng);
    sum += p * p.transpose();
  }
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 2; ++j) {
      const double variance = expected(i, i) * expected(j, j) + expected(i, j) * expected(i, j);
      EXPECT_LT(std::abs(sum(i, j) / n - expected(i, j)), 4.892 * std::sqrt(variance / n));
    }
  }
}

TEST(DenseMetric, CovariancesThatAreNoneAreMisuse) {
  EXPECT_THROW(DenseMetric(Matrix::Zero(2, 2)), std::invalid_argument);
  EXPECT_THROW(DenseMetric(Matrix::Identity(2, 3)), std::invalid_argument);
  EXPECT_THROW(DenseMetric(Matrix(0, 0)), std::invalid_argument);
  EXPECT_THROW(DenseMetric(Matrix{{1, 2}, {2, 1}}), std::invalid_argument);
  EXPECT_THROW(DenseMetric(Matrix::Constant(1, 1, std::nan(""))), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
