#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "simulated_chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::autoregressive;
using testing::independent;

struct Case {
  double phi;
  double deviation;  // of log(ess), measured over 300 seeds of 4 chains of 5000 draws
};

// N (1 - phi) / (1 + phi) of N draws. The limit is six deviations: a false alarm below once in a
// million, the distribution being close to normal.
TEST(Ess, OfAutoregressiveChainsIsThatOfTheory) {
  for (const auto& [phi, deviation] :
       std::vector<Case>{{0, 0.022}, {0.5, 0.037}, {0.9, 0.092}, {-0.5, 0.046}}) {
    const Matrix draws = autoregressive(5000, 4, phi, 1);
    const double theory = 20'000 * (1 - phi) / (1 + phi);
    EXPECT_NEAR(std::log(ess_mean(draws) / theory), 0, 6 * deviation) << phi;
    EXPECT_NEAR(std::log(ess_bulk(draws) / theory), 0, 6 * deviation) << phi;
  }
}

TEST(Ess, IsThatOfTheMeanForAnIndicator) {
  const Matrix draws = (autoregressive(500, 4, 0.7, 2).array() > 0.3).cast<double>();
  EXPECT_NEAR(ess_quantile(draws, 0.1), ess_mean(draws), 1e-9);
  EXPECT_NEAR(ess_bulk(draws), ess_mean(draws), 1e-9);
}

TEST(Ess, IsSmallWhenChainsDisagree) {
  Matrix draws = independent(1000, 4, 3);
  draws.col(0).array() += 5;
  EXPECT_LT(ess_bulk(draws), 10);
  EXPECT_LT(ess_mean(draws), 10);
}

TEST(Ess, OfTheTailSeesAChainOfAnotherScale) {
  Matrix draws = independent(1000, 4, 4);
  draws.col(0) *= 10;
  EXPECT_LT(ess_tail(draws), 100);
  EXPECT_GT(ess_bulk(draws), 1000);
}

TEST(Ess, OfStronglyAntitheticChainsIsBounded) {
  const Matrix draws = autoregressive(1000, 4, -0.99, 5);
  EXPECT_DOUBLE_EQ(ess_mean(draws), 4000 * std::log10(4000));
}

TEST(Ess, OfRanksIsTheSameForAMonotoneMap) {
  const Matrix draws = autoregressive(301, 3, 0.8, 6);
  EXPECT_EQ(ess_bulk(draws), ess_bulk(draws.array().exp()));
  EXPECT_EQ(ess_tail(draws), ess_tail(8 * draws));
}

TEST(Ess, DoesNotDependOnTheOrderOrTheUnitOfChains) {
  const Matrix draws = autoregressive(301, 4, 0.8, 7);
  const Matrix other = 7 * draws.rowwise().reverse().array() + 100;
  EXPECT_NEAR(ess_mean(draws) / ess_mean(other), 1, 1e-12);
  EXPECT_NEAR(ess_bulk(draws) / ess_bulk(other), 1, 1e-12);
  EXPECT_NEAR(ess_tail(draws) / ess_tail(other), 1, 1e-12);
}

TEST(Ess, IsUnknownOfFewerThanSixDraws) {
  for (const Index n : {0, 1, 2, 3, 4, 5}) {
    const Matrix draws = independent(n, 4, 8);
    EXPECT_TRUE(std::isnan(ess_mean(draws))) << n;
    EXPECT_TRUE(std::isnan(ess_bulk(draws))) << n;
    EXPECT_TRUE(std::isnan(ess_tail(draws))) << n;
  }
  EXPECT_FALSE(std::isnan(ess_bulk(independent(6, 4, 8))));
}

}  // namespace
}  // namespace ulisse::diagnose
