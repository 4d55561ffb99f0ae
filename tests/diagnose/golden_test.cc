// Against R's posterior and coda, on draws of every kind.

#include "golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

using testing::expect_equal;
using testing::expected;
using testing::golden_draws;

const std::vector<double> kProbabilities = {0, 0.05, 0.1, 0.5, 0.75, 0.95, 1};

class Golden : public ::testing::TestWithParam<const char*> {
 protected:
  void expect(const std::string& quantity, std::size_t index, double ours) const {
    const auto& theirs = expected(GetParam(), quantity);
    ASSERT_LT(index, theirs.size()) << quantity;
    expect_equal(ours, theirs[index], fmt::format("{}[{}]", quantity, index));
  }

  void expect(const std::string& quantity, const Psrf& ours) const {
    expect(quantity, 0, ours.estimate);
    expect(quantity, 1, ours.upper);
  }

  const Matrix draws_ = golden_draws(GetParam());
};

TEST_P(Golden, MeanAndDeviation) {
  expect("mean", 0, mean(draws_));
  expect("sd", 0, sd(draws_));
}

TEST_P(Golden, Quantiles) {
  const Vector q = quantiles(draws_, kProbabilities);
  for (std::size_t i = 0; i < kProbabilities.size(); ++i) {
    expect("quantiles", i, q[static_cast<Index>(i)]);
    expect("quantiles", i, quantile(draws_, kProbabilities[i]));
  }
}

TEST_P(Golden, Rhat) {
  expect("rhat_basic", 0, rhat_basic(draws_));
  expect("rhat", 0, rhat(draws_));
}

TEST_P(Golden, EffectiveSampleSize) {
  expect("ess_mean", 0, ess_mean(draws_));
  expect("ess_bulk", 0, ess_bulk(draws_));
  expect("ess_tail", 0, ess_tail(draws_));
}

TEST_P(Golden, StandardErrors) {
  expect("mcse_mean", 0, mcse_mean(draws_));
  expect("mcse_sd", 0, mcse_sd(draws_));
}

TEST_P(Golden, EffectiveSampleSizeAndStandardErrorOfQuantiles) {
  for (std::size_t i = 0; i < kProbabilities.size(); ++i) {
    expect("ess_quantile", i, ess_quantile(draws_, kProbabilities[i]));
    expect("mcse_quantile", i, mcse_quantile(draws_, kProbabilities[i]));
  }
}

TEST_P(Golden, PotentialScaleReduction) {
  expect("psrf_half", psrf(draws_));
  expect("psrf_all", psrf(draws_, {.discard_half = false}));
  expect("psrf_80_half", psrf(draws_, {.confidence = 0.8}));
  expect("psrf_80_all", psrf(draws_, {.confidence = 0.8, .discard_half = false}));
}

TEST_P(Golden, TheSummaryHasTheSameNumbers) {
  const ParameterSummary summary = summarise("tau", draws_);
  EXPECT_EQ(summary.name, "tau");
  expect("mean", 0, summary.mean);
  expect("sd", 0, summary.sd);
  expect("mcse_mean", 0, summary.mcse);
  expect("quantiles", 1, summary.q5);
  expect("quantiles", 3, summary.q50);
  expect("quantiles", 5, summary.q95);
  expect("ess_bulk", 0, summary.ess_bulk);
  expect("ess_tail", 0, summary.ess_tail);
  expect("rhat", 0, summary.rhat);
}

INSTANTIATE_TEST_SUITE_P(All, Golden,
                         ::testing::Values("good", "slow", "odd", "shifted", "scaled", "cauchy",
                                           "constant", "one_constant", "all_stuck", "single",
                                           "antithetic", "discrete", "binary", "infinite",
                                           "missing", "short3", "short4", "short5", "short6",
                                           "short7", "short11", "short13", "mirrored"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace ulisse::diagnose
