// Coordinates for skewed posteriors, and the survey that chooses them.

#include "sample/coordinates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/derivatives.h"
#include "support/problem.h"
#include "ulisse/curved_density.h"
#include "ulisse/curved_gradient.h"
#include "ulisse/survey.h"

namespace ulisse {
namespace {

using testing::derivative;

Coordinates one(double exponent, double origin = 0) {
  return {Vector::Constant(1, origin), Vector::Constant(1, exponent)};
}

TEST(Coordinates, ArePowersOfTheta) {
  const Coordinates c(Vector{{0.5, -1}}, Vector{{0.25, -0.5}});
  const Vector u{{-0.8, 0.5}}, psi = c.psi(u);
  EXPECT_NEAR((std::exp(0.25 * (psi(0) - 0.5)) - 1) / 0.25, u(0), 1e-12);
  EXPECT_NEAR((std::exp(-0.5 * (psi(1) + 1)) - 1) / -0.5, u(1), 1e-12);
}

TEST(Coordinates, WithoutExponentsAreThoseOfPsi) {
  const Coordinates c(Vector{{0.5, -1}});
  EXPECT_EQ(c.psi(Vector{{2, 3}}), (Vector{{2.5, 2}}));
  EXPECT_EQ(c.slope(Vector{{2, 3}}), Vector::Ones(2));
  EXPECT_EQ(c.log_slope_gradient(Vector{{2, 3}}), Vector::Zero(2));
}

// On both sides of the joint, which is at u = -0.3/k, and across it.
TEST(Coordinates, SlopesAreDerivatives) {
  for (const double k : {0.3, -0.4, 1.0}) {
    const Coordinates c = one(k);
    for (const double of_the_way : {-3.0, -1.2, -0.5, -0.2, 0.0, 0.7, 4.0}) {
      const double u = of_the_way / k;
      const auto psi = [&](double v) { return c.psi(Vector::Constant(1, v))(0); };
      const auto log_slope = [&](double v) { return std::log(c.slope(Vector::Constant(1, v))(0)); };
      const Vector at = Vector::Constant(1, u);
      EXPECT_NEAR(c.slope(at)(0) / derivative(psi, u), 1, 1e-8) << k << " " << u;
      EXPECT_NEAR(c.log_slope_gradient(at)(0), derivative(log_slope, u), 1e-7) << k << " " << u;
    }
    const double joint = -0.3 / k, near = 1e-9;
    for (const auto function :
         {&Coordinates::psi, &Coordinates::slope, &Coordinates::log_slope_gradient}) {
      const double before = (c.*function)(Vector::Constant(1, joint - near))(0);
      const double after = (c.*function)(Vector::Constant(1, joint + near))(0);
      EXPECT_NEAR(before, after, 1e-6) << k;
    }
  }
}

TEST(Coordinates, RiseForEver) {
  const Coordinates up = one(0.4), down = one(-0.4);
  for (int i = -200; i < 200; ++i) {
    const double u = 0.25 * i;
    const Vector here = Vector::Constant(1, u), next = Vector::Constant(1, u + 0.25);
    EXPECT_LT(up.psi(here)(0), up.psi(next)(0)) << u;
    EXPECT_LT(down.psi(here)(0), down.psi(next)(0)) << u;
  }
}

TEST(Coordinates, HaveAnInverse) {
  for (const double k : {0.3, -0.4, 1.0, 0.0}) {
    const Coordinates c = one(k, 0.7);
    for (const double u : {-9.0, -2.0, -0.31, -0.2, 0.0, 0.5, 1.0, 6.0}) {
      EXPECT_NEAR(c.u(c.psi(Vector::Constant(1, u)))(0), u, 1e-12) << k;
    }
  }
}

TEST(Coordinates, TheCurvedDensityHasTheCurvedGradient) {
  const testing::Problem problem("rbf", 30, 2);
  const ExactPosterior posterior(problem.model, problem.x, problem.y);
  const Vector origin{{0.1, -0.4, -1.2}};
  const Coordinates c(origin, Vector{{0.4, -0.3, 0.8}});
  const CurvedDensity density(posterior, c);
  const Vector u{{0.2, -0.1, -0.6}};
  GradientEstimate of_psi;
  of_psi.gradient = posterior.log_density_and_gradient(c.psi(u)).gradient;
  of_psi.covariance = Matrix::Zero(3, 3);
  const Vector expected = carried_to(c, u, of_psi).gradient;
  const LogDensity both = density.log_density_and_gradient(u);
  EXPECT_EQ(both.value, density.log_density(u).value);
  EXPECT_EQ(both.gradient, expected);
  EXPECT_NEAR(density.of_psi(u, both.value), posterior.log_density(c.psi(u)).value, 1e-10);
  for (Index j = 0; j < 3; ++j) {
    const auto along = [&](double v) {
      Vector at = u;
      at(j) = v;
      return density.log_density(at).value;
    };
    EXPECT_NEAR(derivative(along, u(j)), expected(j), 1e-5 * (1 + std::abs(expected(j))));
  }
}

// log of a Gamma(shape, shape) variable, times `side`: its mode is 0, its curvature `shape`.
GradientAt log_gamma(double shape, double side) {
  return [=](const Vector& psi) {
    GradientEstimate e;
    e.gradient = side * shape * (1 - (side * psi).array().exp());
    e.covariance = Matrix::Zero(psi.size(), psi.size());
    return e;
  };
}

TEST(SurveyInCoordinates, ALogGammaIsNearlyGaussianThere) {
  for (const double side : {1.0, -1.0}) {
    for (const double shape : {1.0, 3.0}) {
      const GradientAt gradient = log_gamma(shape, side);
      Survey in_psi{.coordinates = Coordinates(Vector::Zero(1)),
                    .centre = Vector::Zero(1),
                    .metric = Matrix::Constant(1, 1, 1 / shape)};
      survey_bend(gradient, in_psi);
      const Survey there = survey_in(one(side * 0.3), gradient, in_psi);
      EXPECT_GT(in_psi.bend, 0.5);
      EXPECT_LT(there.bend, 0.2 * in_psi.bend) << shape << " " << side;
      EXPECT_LT(there.mode_distance, 0.15);
      EXPECT_EQ(there.bend_of_psi, in_psi.bend);
      EXPECT_FALSE(there.repaired);
    }
  }
}

// What corrects the mode of large tables.
TEST(SurveyInCoordinates, OfAGaussianTheNewtonStepLeadsToItsMode) {
  Matrix covariance(2, 2);
  covariance << 4, 1, 1, 2;
  const Vector mode = (Vector(2) << 3, -1).finished();
  const Vector anchor = (Vector(2) << 2, 0.5).finished();
  Survey survey{
      .coordinates = Coordinates(anchor), .centre = Vector::Zero(2), .metric = covariance};
  survey_bend(
      [&](const Vector& psi) {
        GradientEstimate e;
        e.gradient = covariance.inverse() * (mode - psi);
        e.covariance = Matrix::Zero(2, 2);
        return e;
      },
      survey);
  EXPECT_LT((anchor + survey.newton - mode).norm(), 1e-12);
  const double distance = std::sqrt((mode - anchor).dot(covariance.inverse() * (mode - anchor)));
  EXPECT_NEAR(survey.mode_distance, distance, 1e-12);
}

TEST(SurveyInCoordinates, ExponentsTakeTheSkewnessAway) {
  const Matrix unit = Matrix::Identity(1, 1);
  const Vector mode = Vector::Zero(1);
  EXPECT_NEAR(exponents_by(log_gamma(1, 1), mode, unit)(0), 0.3, 0.01);
  EXPECT_NEAR(exponents_by(log_gamma(1, -1), mode, unit)(0), -0.3, 0.01);
  const GradientAt straight = [](const Vector& psi) {
    GradientEstimate e;
    e.gradient = -psi;
    return e;
  };
  EXPECT_NEAR(exponents_by(straight, mode, unit)(0), 0, 1e-12);
  // A power's end is kept 2.5 standard deviations away.
  EXPECT_NEAR(exponents_by(log_gamma(0.01, 1), mode, 100 * unit)(0), 0.04, 1e-9);
}

TEST(SurveyInCoordinates, AGradientThatIsNotANumberIsNoGaussians) {
  Survey survey{.coordinates = Coordinates(Vector::Zero(1)),
                .centre = Vector::Zero(1),
                .metric = Matrix::Identity(1, 1)};
  survey_bend(
      [](const Vector& psi) {
        GradientEstimate e;
        e.gradient = Vector::Constant(1, psi(0) > 1 ? NAN : -psi(0));
        e.covariance = Matrix::Zero(1, 1);
        return e;
      },
      survey);
  EXPECT_EQ(survey.bend, INFINITY);
}

}  // namespace
}  // namespace ulisse
