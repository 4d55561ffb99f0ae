#include "diagnose/autocovariance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "simulated_chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::autoregressive;

// The sum of the definition.
Vector direct(const Matrix& chains) {
  const Index n = chains.rows();
  const Matrix x = chains.rowwise() - chains.colwise().mean();
  Vector s(n);
  for (Index t = 0; t < n; ++t) {
    s[t] = (x.topRows(n - t).array() * x.bottomRows(n - t).array()).sum();
  }
  return s / static_cast<double>(chains.size());
}

TEST(Autocovariance, ByTransformsIsThatBySums) {
  for (const Index n : {1, 2, 3, 5, 16, 17, 101, 256, 1000}) {
    for (const Index chains : {1, 2, 3, 4, 7}) {
      const Matrix draws = autoregressive(n, chains, 0.8, 1).array() + 10;
      const Vector s = mean_autocovariance(draws), sums = direct(draws);
      EXPECT_LE((s - sums).cwiseAbs().maxCoeff(), 1e-14 * (1 + sums[0])) << n << " x " << chains;
    }
  }
}

TEST(Autocovariance, OfConstantChainsIsExactlyZero) {
  EXPECT_EQ(mean_autocovariance(Matrix::Constant(99, 3, 0.1)), Vector(Vector::Zero(99)));
}

TEST(Autocorrelation, StartsAtOneAndEndsAtTheLag) {
  const Matrix draws = autoregressive(1000, 1, 0.5, 2);
  const Vector rho = autocorrelation(draws.col(0), 20);
  EXPECT_EQ(rho.size(), 21);
  EXPECT_DOUBLE_EQ(rho[0], 1);
  EXPECT_LE(rho.cwiseAbs().maxCoeff(), 1 + 1e-15);
}

TEST(Autocorrelation, EndsWithTheLastDrawIfTheLagIsLarger) {
  EXPECT_EQ(autocorrelation(Vector::LinSpaced(10, 0, 1), 20).size(), 10);
  EXPECT_EQ(autocorrelation(Vector(), 20).size(), 0);
}

TEST(Autocorrelation, IsUnknownForDrawsThatAreNotFinite) {
  Vector draws = Vector::LinSpaced(10, 0, 1);
  draws[4] = INFINITY;
  const Vector rho = autocorrelation(draws, 3);
  EXPECT_EQ(rho.size(), 4);
  EXPECT_TRUE(rho.array().isNaN().all());
}

TEST(Autocorrelation, RefusesANegativeLag) {
  EXPECT_THROW(autocorrelation(Vector::LinSpaced(10, 0, 1), -1), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse::diagnose
