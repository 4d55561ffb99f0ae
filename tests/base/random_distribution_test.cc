// Distributions of the random numbers. Fixed seeds; each comparison raises a false alarm once in a
// million.

#include <gtest/gtest.h>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "support/statistics.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::kKolmogorovOneInAMillion;
using testing::kolmogorov_smirnov;
using testing::kOneInAMillion;
using testing::z_score;

constexpr Index kDraws = 200'000;

Vector uniforms(Index n) {
  Rng rng = stream(11, 0, Purpose::simulation);
  Vector v(n);
  for (double& x : v) x = rng.uniform();
  return v;
}

// E[a_i b_i] of two sequences of independent draws with mean 0 and variance 1 is 0.
double correlation_z(const Vector& a, const Vector& b) { return z_score(a.cwiseProduct(b), 0, 1); }

void expect_no_autocorrelation(const Vector& standardised) {
  for (const Index lag : {1, 2, 3, 4}) {
    const Index n = standardised.size() - lag;
    EXPECT_LT(std::abs(correlation_z(standardised.head(n), standardised.tail(n))), kOneInAMillion)
        << "lag " << lag;
  }
}

double chi_square_limit(int cells) {
  const boost::math::chi_squared distribution(cells - 1);
  return boost::math::quantile(boost::math::complement(distribution, 1e-6));
}

TEST(Rng, UniformLiesStrictlyBetweenZeroAndOne) {
  const Vector u = uniforms(1'000'000);
  EXPECT_GT(u.minCoeff(), 0);
  EXPECT_LT(u.maxCoeff(), 1);
}

TEST(Rng, UniformIsUniform) {
  const Vector u = uniforms(kDraws);
  EXPECT_LT(std::abs(z_score(u, 0.5, std::sqrt(1.0 / 12))), kOneInAMillion);
  EXPECT_LT(std::abs(z_score(u.array().square(), 1.0 / 3, std::sqrt(4.0 / 45))), kOneInAMillion);
  EXPECT_LT(kolmogorov_smirnov(u, [](double x) { return x; }), kKolmogorovOneInAMillion);
  expect_no_autocorrelation((u.array() - 0.5) * std::sqrt(12.0));
}

// Variances of x, x^2, x^3, x^4 of a standard normal: 1, 2, 15, 96.
TEST(Rng, NormalHasTheMomentsOfANormal) {
  const Vector x = stream(12, 0, Purpose::simulation).normal_vector(kDraws);
  EXPECT_LT(std::abs(z_score(x, 0, 1)), kOneInAMillion);
  EXPECT_LT(std::abs(z_score(x.array().square(), 1, std::sqrt(2))), kOneInAMillion);
  EXPECT_LT(std::abs(z_score(x.array().cube(), 0, std::sqrt(15))), kOneInAMillion);
  EXPECT_LT(std::abs(z_score(x.array().pow(4), 3, std::sqrt(96))), kOneInAMillion);
}

TEST(Rng, NormalHasTheDistributionOfANormal) {
  const Vector x = stream(13, 0, Purpose::simulation).normal_vector(kDraws);
  const boost::math::normal normal;
  EXPECT_LT(kolmogorov_smirnov(x, [&](double value) { return boost::math::cdf(normal, value); }),
            kKolmogorovOneInAMillion);
}

// The two normals of a Box-Muller pair share a radius: their squares would be correlated if the
// angle were wrong.
TEST(Rng, NormalsAreIndependentOfTheirNeighbours) {
  const Vector x = stream(14, 0, Purpose::simulation).normal_vector(kDraws);
  expect_no_autocorrelation(x);
  expect_no_autocorrelation((x.array().square() - 1) / std::sqrt(2));
}

TEST(Rng, NormalsOfNeighbouringStreamsAreIndependent) {
  const auto draw = [](std::uint64_t seed, std::uint32_t chain, std::uint64_t iteration) {
    return stream(seed, chain, Purpose::probes, iteration).normal_vector(kDraws);
  };
  const Vector x = draw(1, 0, 0);
  EXPECT_LT(std::abs(correlation_z(x, draw(2, 0, 0))), kOneInAMillion);
  EXPECT_LT(std::abs(correlation_z(x, draw(1, 1, 0))), kOneInAMillion);
  EXPECT_LT(std::abs(correlation_z(x, draw(1, 0, 1))), kOneInAMillion);
}

TEST(Rng, RademacherIsPlusOrMinusOneAsOften) {
  const Vector r = stream(15, 0, Purpose::probes).rademacher_vector(kDraws);
  EXPECT_TRUE((r.array().abs() == 1).all());
  EXPECT_LT(std::abs(z_score(r, 0, 1)), kOneInAMillion);
  expect_no_autocorrelation(r);
}

TEST(Rng, BelowGivesEachValueAsOften) {
  Rng rng = stream(16, 0, Purpose::subset);
  for (const int limit : {2, 7, 10, 64}) {
    Vector counts = Vector::Zero(limit);
    const int expected = 1000;
    for (int i = 0; i < limit * expected; ++i) ++counts(rng.below(limit));
    const double chi_square = (counts.array() - expected).square().sum() / expected;
    EXPECT_LT(chi_square, chi_square_limit(limit)) << limit;
  }
}

// 64 comparisons: a false alarm once in 15,000.
TEST(Rng, EveryBitIsSetHalfOfTheTime) {
  Rng rng = stream(17, 0, Purpose::simulation);
  Vector set = Vector::Zero(64);
  for (Index i = 0; i < kDraws; ++i) {
    const std::uint64_t bits = rng.bits();
    for (int b = 0; b < 64; ++b) set(b) += static_cast<double>((bits >> b) & 1);
  }
  const double n = static_cast<double>(kDraws);
  EXPECT_LT((set.array() - n / 2).abs().maxCoeff(), kOneInAMillion * std::sqrt(n / 4));
}

}  // namespace
}  // namespace ulisse
