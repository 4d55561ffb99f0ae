// Mixtures of Gaussians: against one Gaussian, against numerical integration, and at the edges.

#include "predict/mixture.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "predict/normal.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

Vector numbers(std::initializer_list<double> values) {
  return Eigen::Map<const Vector>(values.begin(), static_cast<Index>(values.size()));
}

const GaussianMixture kThree(numbers({-2, 0.5, 3}), numbers({0.3, 1, 0.7}));

// Of f over the whole mixture, by the midpoint rule on a fine grid.
template <class F>
double integral(const F& f) {
  constexpr double kStep = 1e-3;
  double sum = 0;
  for (double y = -12 + kStep / 2; y < 12; y += kStep) sum += kStep * f(y);
  return sum;
}

TEST(GaussianMixture, OfOnePartIsThatGaussian) {
  const GaussianMixture one(numbers({1.5}), numbers({2}));
  EXPECT_EQ(one.mean(), 1.5);
  EXPECT_DOUBLE_EQ(one.sd(), 2);
  const boost::math::normal normal(1.5, 2);
  for (const double p : {1e-6, 0.05, 0.5, 0.95, 0.999}) {
    EXPECT_NEAR(one.quantile(p), boost::math::quantile(normal, p), 1e-9) << p;
  }
  EXPECT_NEAR(one.log_density(4), std::log(boost::math::pdf(normal, 4)), 1e-12);
  // Gneiting and Raftery 2007: sd (z (2 Phi(z) - 1) + 2 phi(z) - 1/sqrt(pi)).
  const double z = (4 - 1.5) / 2;
  EXPECT_NEAR(one.crps(4),
              2 * (z * (2 * normal_probability(z) - 1) + 2 * normal_density(z) -
                   1 / std::sqrt(std::numbers::pi)),
              1e-12);
}

TEST(GaussianMixture, OfEqualPartsIsOneOfThem) {
  const GaussianMixture many(Vector::Constant(7, 1.5), Vector::Constant(7, 2));
  const GaussianMixture one(numbers({1.5}), numbers({2}));
  EXPECT_NEAR(many.sd(), one.sd(), 1e-12);
  EXPECT_NEAR(many.quantile(0.3), one.quantile(0.3), 1e-9);
  EXPECT_NEAR(many.log_density(-3), one.log_density(-3), 1e-12);
  EXPECT_NEAR(many.crps(-3), one.crps(-3), 1e-12);
}

TEST(GaussianMixture, MomentsAndProbabilitiesAreThoseOfItsDensity) {
  const auto density = [](double y) { return std::exp(kThree.log_density(y)); };
  EXPECT_NEAR(integral(density), 1, 1e-6);
  const double mean = integral([&](double y) { return y * density(y); });
  EXPECT_NEAR(kThree.mean(), mean, 1e-6);
  const double variance = integral([&](double y) { return (y - mean) * (y - mean) * density(y); });
  EXPECT_NEAR(kThree.sd(), std::sqrt(variance), 1e-6);
  EXPECT_NEAR(kThree.probability_below(1),
              integral([&](double y) { return y < 1 ? density(y) : 0; }), 1e-3);
}

// CRPS is the integral of (F(t) - [t >= y])^2.
TEST(GaussianMixture, CrpsIsTheDistanceOfDistributions) {
  for (const double y : {-4.0, 0.0, 2.9}) {
    const double expected = integral([&](double t) {
      const double f = kThree.probability_below(t) - (t >= y ? 1 : 0);
      return f * f;
    });
    EXPECT_NEAR(kThree.crps(y), expected, 1e-3) << y;
  }
}

TEST(GaussianMixture, QuantilesHaveTheirProbability) {
  for (const double p : {1e-12, 0.01, 0.2, 0.5, 0.77, 0.999999}) {
    EXPECT_NEAR(kThree.probability_below(kThree.quantile(p)) / p, 1, 1e-9) << p;
  }
}

// Two parts far apart: moment matching would put the median where there is nothing.
TEST(GaussianMixture, IsNotMatchedByItsMoments) {
  const GaussianMixture two(numbers({-10, 10}), numbers({1, 1}));
  EXPECT_NEAR(two.quantile(0.25), -10, 1e-9);
  EXPECT_NEAR(two.quantile(0.75), 10, 1e-9);
}

TEST(GaussianMixture, APointThatIsKnown) {
  const GaussianMixture known(numbers({2}), numbers({0}));
  EXPECT_EQ(known.quantile(0.1), 2);
  EXPECT_EQ(known.sd(), 0);
  EXPECT_EQ(known.crps(3.5), 1.5);
  EXPECT_EQ(known.log_density(2.5), -INFINITY);
}

TEST(GaussianMixture, FarAwayTheLogDensityIsStillANumber) {
  EXPECT_TRUE(std::isfinite(kThree.log_density(1e6)));
  EXPECT_LT(kThree.log_density(1e6), -1e11);
}

TEST(GaussianMixture, RefusesWhatIsNoMixture) {
  EXPECT_THROW(GaussianMixture(Vector(), Vector()), std::invalid_argument);
  EXPECT_THROW(GaussianMixture(numbers({1}), numbers({1, 2})), std::invalid_argument);
  EXPECT_THROW(GaussianMixture(numbers({1}), numbers({-1})), std::invalid_argument);
  EXPECT_THROW(GaussianMixture(numbers({1}), numbers({NAN})), std::invalid_argument);
  EXPECT_THROW(kThree.quantile(0), std::invalid_argument);
  EXPECT_THROW(kThree.quantile(1), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
