#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <vector>

#include "simulated_chains.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::autoregressive;

TEST(SecondsPerIndependentSample, AreThoseOfTheSlowestParameter) {
  const std::vector<ParameterSummary> parameters = {
      {.name = "sigma", .ess_bulk = 400}, {.name = "tau", .ess_bulk = 50}, {.ess_bulk = 1000}};
  EXPECT_DOUBLE_EQ(seconds_per_independent_sample(10, parameters), 0.2);
}

TEST(SecondsPerIndependentSample, AreUnknownWhenOneParameterIs) {
  const std::vector<ParameterSummary> parameters = {
      {.ess_bulk = 400}, {.ess_bulk = std::nan("")}, {.ess_bulk = 50}};
  EXPECT_TRUE(std::isnan(seconds_per_independent_sample(10, parameters)));
}

TEST(SecondsPerIndependentSample, RefuseNoParameters) {
  EXPECT_THROW(seconds_per_independent_sample(10, {}), std::invalid_argument);
}

TEST(Summary, OfNoDrawsOrOfNaNIsUnknownThroughout) {
  Matrix draws = autoregressive(100, 4, 0.5, 1);
  draws(50, 2) = std::nan("");
  for (const Matrix& bad : {draws, Matrix(0, 4), Matrix(100, 0)}) {
    const ParameterSummary s = summarise("x", bad);
    for (const double number :
         {s.mean, s.sd, s.mcse, s.q5, s.q50, s.q95, s.ess_bulk, s.ess_tail, s.rhat}) {
      EXPECT_TRUE(std::isnan(number));
    }
  }
}

TEST(Summary, OfRowsOfALargerMatrixIsThatOfTheRows) {
  const Matrix draws = autoregressive(200, 4, 0.5, 2);
  const Matrix second_half = draws.bottomRows(100);
  EXPECT_EQ(summarise("x", draws.bottomRows(100)).mean, summarise("x", second_half).mean);
  EXPECT_EQ(summarise("x", draws.bottomRows(100)).rhat, summarise("x", second_half).rhat);
}

TEST(Running, EndsWithTheMomentsOfTheChain) {
  const Matrix draws = autoregressive(500, 3, 0.9, 3).array() + 1e6;
  const Matrix means = running_mean(draws), deviations = running_sd(draws);
  for (Index chain = 0; chain < 3; ++chain) {
    EXPECT_NEAR(means(499, chain), mean(draws.col(chain)), 1e-8);
    EXPECT_NEAR(deviations(499, chain), sd(draws.col(chain)), 1e-8);
    EXPECT_EQ(means(0, chain), draws(0, chain));
    EXPECT_TRUE(std::isnan(deviations(0, chain)));
  }
}

}  // namespace
}  // namespace ulisse::diagnose
