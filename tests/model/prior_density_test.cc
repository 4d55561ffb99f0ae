// Prior densities of psi = log(theta): normalised, with the right slope, and Boost's densities of
// theta with the Jacobian.

#include <gtest/gtest.h>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/inverse_gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>

#include "support/derivatives.h"
#include "ulisse/prior.h"

namespace ulisse {
namespace {

using testing::derivative;

const char* const kPriors[] = {"gamma(1,1)",           "gamma(0.3,2)",
                               "gamma(12,0.5)",        "lognormal(0,1)",
                               "lognormal(-3,0.2)",    "lognormal(2,4)",
                               "half-normal(1)",       "half-normal(0.05)",
                               "half-normal(30)",      "inverse-gamma(2,1)",
                               "inverse-gamma(0.4,3)", "inverse-gamma(9,0.2)",
                               "half-student-t(4,1)",  "half-student-t(1.5,0.2)",
                               "half-cauchy(1)",       "half-cauchy(0.3)"};

class PriorDensity : public ::testing::TestWithParam<const char*> {
 protected:
  Prior prior() const { return parse_prior(GetParam()); }
};

TEST_P(PriorDensity, IntegratesToOneInPsi) {
  const Prior p = prior();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto density = [&](double psi) { return std::exp(p.log_density_psi(psi).value); };
  const double mass = boost::math::quadrature::gauss_kronrod<double, 61>::integrate(
      density, -infinity, infinity, 20);
  EXPECT_NEAR(mass, 1, 1e-8);
}

TEST_P(PriorDensity, SlopeIsTheDerivative) {
  const Prior p = prior();
  const auto value = [&](double psi) { return p.log_density_psi(psi).value; };
  for (const double psi : {-6.0, -3.3, -1.0, -0.2, 0.0, 0.7, 2.0, 3.5}) {
    const double slope = p.log_density_psi(psi).slope;
    EXPECT_NEAR(slope, derivative(value, psi), 1e-8 * (1 + std::abs(slope) + std::abs(value(psi))))
        << "psi = " << psi;
  }
}

// Parameters far out are proposed now and then: a density of 0 is an answer, NaN is not.
TEST_P(PriorDensity, FarOutItIsSmallAndNeverNan) {
  const Prior p = prior();
  for (const double psi : {-1e5, -800.0, -100.0, 100.0, 800.0, 1e5}) {
    const auto [value, slope] = p.log_density_psi(psi);
    EXPECT_LT(value, -5) << "psi = " << psi;
    EXPECT_FALSE(std::isnan(slope)) << "psi = " << psi;
  }
}

TEST_P(PriorDensity, TextIsReadBackAsTheSamePrior) {
  const Prior p = prior(), again = parse_prior(p.to_string());
  EXPECT_EQ(p.to_string(), GetParam());
  for (const double psi : {-2.0, 0.3, 1.0}) {
    EXPECT_EQ(again.log_density_psi(psi).value, p.log_density_psi(psi).value);
  }
}

std::string case_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, PriorDensity, ::testing::ValuesIn(kPriors), case_name);

template <class Distribution>
void expect_density_of(const Distribution& distribution, const char* prior, double factor = 1) {
  for (const double psi : {-4.0, -1.5, -0.1, 0.0, 0.4, 1.3, 2.2}) {
    const double expected = std::log(factor * boost::math::pdf(distribution, std::exp(psi))) + psi;
    EXPECT_NEAR(parse_prior(prior).log_density_psi(psi).value, expected,
                1e-12 * (1 + std::abs(expected)))
        << prior << " at " << psi;
  }
}

TEST(PriorDensity, GammaTakesShapeAndRate) {
  expect_density_of(boost::math::gamma_distribution<>(1, 1), "gamma(1,1)");
  expect_density_of(boost::math::gamma_distribution<>(2.5, 1 / 0.7), "gamma(2.5,0.7)");
}

TEST(PriorDensity, LognormalTakesMeanAndDeviationOfPsi) {
  expect_density_of(boost::math::lognormal(0, 1), "lognormal(0,1)");
  expect_density_of(boost::math::lognormal(-1.5, 0.8), "lognormal(-1.5,0.8)");
}

TEST(PriorDensity, HalfNormalTakesTheDeviationOfTheWholeNormal) {
  expect_density_of(boost::math::normal(0, 1), "half-normal(1)", 2);
  expect_density_of(boost::math::normal(0, 2.3), "half-normal(2.3)", 2);
}

TEST(PriorDensity, InverseGammaTakesShapeAndScale) {
  expect_density_of(boost::math::inverse_gamma_distribution<>(2, 1), "inverse-gamma(2,1)");
  expect_density_of(boost::math::inverse_gamma_distribution<>(0.6, 1.7), "inverse-gamma(0.6,1.7)");
}

TEST(PriorDensity, HalfStudentTTakesDegreesOfFreedomAndScale) {
  expect_density_of(boost::math::students_t(4), "half-student-t(4,1)", 2);
  expect_density_of(boost::math::students_t(1), "half-cauchy(1)", 2);
}

}  // namespace
}  // namespace ulisse
