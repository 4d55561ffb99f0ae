// The rules by which ULISSE cuts its sums.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/error_message.h"
#include "ulisse/unbiased.h"

namespace ulisse {
namespace {

TEST(TruncationRules, ThePapersWeightsGiveItsMeanNumbersOfTerms) {
  // A comment in the paper gives 1.4, 4.0 and 12.6 terms for exp(r), exp(r/10) and exp(r/100).
  for (const auto& [b, expected] :
       {std::pair{1.0, 1.4}, std::pair{0.1, 4.0}, std::pair{0.01, 12.6}}) {
    const auto rule = exponential_weights(b);
    double survival = 1, mean = 0;
    for (int j = 0; j < 1000; ++j) mean += survival *= rule->continuation(j, {});
    EXPECT_NEAR(mean, expected, 0.3) << rule->name();
  }
}

TEST(TruncationRules, MatchedDecaySurvivesInProportionToTheSmallestResidual) {
  const auto rule = matched_decay(1);
  const std::vector<double> residuals = {8, 4, 6, 2, 1};
  const std::vector<double> survivals = {1, 0.5, 0.5, 0.25, 0.125};
  double survival = 1;
  for (int j = 0; j < 5; ++j) {
    survival *= rule->continuation(j, std::span(residuals).first(j + 1));
    EXPECT_DOUBLE_EQ(survival, survivals[j]) << j;
  }
}

TEST(TruncationRules, APowerBelowOneLetsTermsSurviveLonger) {
  const std::vector<double> residuals = {1, 0.25};
  EXPECT_DOUBLE_EQ(matched_decay(0.5)->continuation(1, residuals), 0.5);
}

TEST(TruncationRules, NamesReadBackAsTheSameRule) {
  for (const char* name : {"exp(1)", "exp(0.01)", "matched(1)", "matched(0.8)"}) {
    EXPECT_EQ(parse_truncation(name)->name(), name);
  }
  EXPECT_EQ(parse_truncation("matched")->name(), "matched(1)");
  EXPECT_EQ(parse_truncation("exp")->name(), "exp(1)");
}

TEST(TruncationRules, WhatIsNoRuleIsSaidSo) {
  for (const char* text : {"", "expo", "exp(", "exp()", "exp(x)", "exp(0)", "exp(-1)", "exp(1) ",
                           "exp(inf)", "matched(0)", "matched(nan)", "geometric(0.5)"}) {
    const std::string message = testing::message_of([&] { parse_truncation(text); });
    EXPECT_TRUE(testing::contains(message, fmt::format("'{}' is not a truncation rule", text)))
        << message;
  }
}

}  // namespace
}  // namespace ulisse
