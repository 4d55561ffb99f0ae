// The shapes of kernels against closed forms, and their slopes against numerical derivatives.

#include <gtest/gtest.h>

#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <limits>

#include "support/derivatives.h"
#include "ulisse/kernel.h"

namespace ulisse {
namespace {

using testing::derivative;

constexpr Shape kAll[] = {Shape::rbf, Shape::matern12, Shape::matern32, Shape::matern52};

std::string name_of_shape(Shape shape) { return name_of({shape, false}); }

// 2^(1 - nu) / Gamma(nu) a^nu K_nu(a) with a = sqrt(2 nu s)
double matern(double nu, double s) {
  const double a = std::sqrt(2 * nu * s);
  return std::pow(2, 1 - nu) / std::tgamma(nu) * std::pow(a, nu) * boost::math::cyl_bessel_k(nu, a);
}

TEST(KernelShape, RbfIsAnExponentialOfTheSquaredDistance) {
  for (const double s : {1e-10, 0.01, 0.5, 1.0, 3.0, 50.0, 700.0}) {
    EXPECT_DOUBLE_EQ(evaluate(Shape::rbf, s).value, std::exp(-s));
  }
}

TEST(KernelShape, MaternsAreBesselFunctions) {
  for (const double s : {1e-6, 1e-3, 0.02, 0.4, 1.0, 2.5, 10.0, 60.0, 400.0}) {
    for (const auto& [shape, nu] :
         {std::pair{Shape::matern12, 0.5}, std::pair{Shape::matern32, 1.5},
          std::pair{Shape::matern52, 2.5}}) {
      const double expected = matern(nu, s);
      EXPECT_NEAR(evaluate(shape, s).value, expected, 1e-13 * expected)
          << name_of_shape(shape) << " at " << s;
    }
  }
}

TEST(KernelShape, TheSlopeIsTheDerivative) {
  for (const Shape shape : kAll) {
    const auto value = [&](double s) { return evaluate(shape, s).value; };
    for (const double s : {0.2, 0.5, 1.0, 2.0, 5.0, 12.0}) {
      EXPECT_NEAR(evaluate(shape, s).slope, derivative(value, s), 1e-9)
          << name_of_shape(shape) << " at " << s;
    }
  }
}

TEST(KernelShape, AtZeroTheValueIsOneAndTheSlopeItsLimit) {
  for (const Shape shape : kAll) EXPECT_EQ(evaluate(shape, 0).value, 1) << name_of_shape(shape);
  EXPECT_EQ(evaluate(Shape::rbf, 0).slope, -1);
  EXPECT_EQ(evaluate(Shape::matern12, 0).slope, 0);  // by agreement: the limit is infinite
  EXPECT_EQ(evaluate(Shape::matern32, 0).slope, -1.5);
  EXPECT_DOUBLE_EQ(evaluate(Shape::matern52, 0).slope, -5.0 / 6);
}

TEST(KernelShape, TheSlopeIsContinuousTowardsZero) {
  EXPECT_NEAR(evaluate(Shape::rbf, 1e-12).slope, -1, 1e-5);
  EXPECT_NEAR(evaluate(Shape::matern32, 1e-12).slope, -1.5, 1e-5);
  EXPECT_NEAR(evaluate(Shape::matern52, 1e-12).slope, -5.0 / 6, 1e-5);
}

TEST(KernelShape, FarPointsUnderflowToZeroWithoutNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Shape shape : kAll) {
    for (const double s : {1e10, 1e300, std::numeric_limits<double>::max(), infinity}) {
      EXPECT_EQ(evaluate(shape, s).value, 0) << name_of_shape(shape) << " at " << s;
      EXPECT_EQ(evaluate(shape, s).slope, 0) << name_of_shape(shape) << " at " << s;
    }
  }
}

TEST(KernelShape, ValuesFallFromOneToZero) {
  for (const Shape shape : kAll) {
    double last = 1;
    for (double s = 1e-8; s < 1e5; s *= 1.5) {
      const auto [value, slope] = evaluate(shape, s);
      EXPECT_LE(value, last) << name_of_shape(shape) << " at " << s;
      EXPECT_GE(value, 0);
      EXPECT_LE(slope, 0);
      last = value;
    }
  }
}

}  // namespace
}  // namespace ulisse
