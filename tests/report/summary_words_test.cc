#include "report/summary_words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/bias_words.h"
#include "report/fitted_words.h"
#include "support/error_message.h"
#include "support/summaries.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::good_summary;
using testing::langevin_summary;

TEST(SummaryWords, FindingsStandInTheTextAndTheJson) {
  FitSummary s = good_summary();
  EXPECT_TRUE(contains(to_text(s), "No sign of trouble"));
  EXPECT_TRUE(summary_json(s).at("warnings").empty());
  s.parameters[0].ess_tail = 399;
  s.findings = findings_of(s, 0);
  EXPECT_TRUE(contains(to_text(s), "warning: few effective samples"));
  EXPECT_FALSE(contains(to_text(s), "No sign of trouble"));
  EXPECT_TRUE(contains(summary_json(s).at("warnings").at(0), "--draws"));
  EXPECT_FALSE(contains(summary_json(s, OptionNames::python).at("warnings").at(0), "--"));
  EXPECT_EQ(summary_json(s).at("findings").at(0).at("code"), "few_effective_draws");
}

TEST(SummaryWords, AModeThatDrawsDoNotMissIsSaidWithItsPlace) {
  FitSummary s = good_summary();
  s.other_modes = 0.4;
  s.other_draws = 0.35;
  s.other_place = (Vector(2) << 0.5, 3e-4).finished();
  s.findings = findings_of(s, 0);
  EXPECT_TRUE(contains(to_text(s), "another mode, at tau = 0.5, lambda = 0.0003, with about 40 %"));
  EXPECT_TRUE(contains(to_text(s), "35 % of the draws are nearer to that one.\n"));
  s.other_draws = 0.1;
  s.findings = findings_of(s, 0);
  EXPECT_FALSE(contains(to_text(s), "10 % of the draws are nearer to that one.\n")) << "not twice";
}

TEST(SummaryWords, ExactStepsAreExplained) {
  FitSummary s = langevin_summary({.why_exact = {Reason::Code::few_rows}});
  EXPECT_EQ(about_exact_steps(s, OptionNames::command_line), "");
  s.setup->exact = true;
  const std::string text = about_exact_steps(s, OptionNames::command_line);
  EXPECT_TRUE(contains(text, "since there are few rows") && contains(text, "--probe-count"))
      << text;
  EXPECT_FALSE(contains(about_exact_steps(s, OptionNames::python), "--"));
  s.draws = 0;
  EXPECT_EQ(about_exact_steps(s, OptionNames::command_line), "");
}

TEST(SummaryWords, TheBiasOfOneChainHasNoStandardError) {
  const std::string text = to_text(BiasBudget{.discretisation = 0.2, .discretisation_error = NAN});
  EXPECT_TRUE(contains(text, "standard error unknown: one chain")) << text;
  EXPECT_TRUE(contains(to_text(BiasBudget{.discretisation = NAN}), "unknown: too few draws"));
  for (const BiasBudget& b : {BiasBudget{.discretisation = 0.2, .discretisation_error = NAN},
                              BiasBudget{.discretisation = NAN}}) {
    EXPECT_FALSE(contains(to_text(b), "nan"));
  }
}

TEST(SummaryWords, WhatWasLearntInTheTablesUnitsStandsAboveTheParameters) {
  FitSummary s = good_summary();
  s.quantities = {s.parameters[0], s.parameters[0]};
  s.quantities[0].name = "signal_sd.1";
  s.quantities[1].name = "lengthscale.1.day";
  s.quantity_belonging = {{.term = "rbf(day)"}, {.input = "day", .term = "rbf(day)"}};
  s.belonging = {{.input = "day"}, {}};
  const std::string text = to_text(s);
  EXPECT_LT(text.find("in the table's units"), text.find("\nparameter "));
  EXPECT_TRUE(contains(text, "1.002  rbf(day)\n")) << text;
  EXPECT_TRUE(contains(text, "1.002  day in rbf(day)\n")) << text;
  EXPECT_TRUE(contains(text, "1.002  day\n")) << text;
}

TEST(SummaryWords, WhatIsFixedHasNoDiagnostics) {
  FitSummary s = good_summary();
  s.quantities = {{.name = "noise_sd", .mean = 2, .ess_bulk = NAN, .ess_tail = NAN, .rhat = NAN}};
  EXPECT_TRUE(contains(to_text(s), "        -         -       -\n")) << to_text(s);
  EXPECT_FALSE(contains(to_text(s), "nan"));
}

TEST(SummaryWords, OfManyInputsTheTableOfLengthScalesHasTwenty) {
  FitSummary s = good_summary();
  s.quantities.assign(26, s.parameters[0]);
  for (std::size_t k = 0; k < 25; ++k) {
    s.quantities[k].name = "lengthscale." + std::to_string(k + 1);
  }
  s.quantities[25].name = "trend.intercept";
  const std::string text = to_text(s);
  EXPECT_TRUE(contains(text, "lengthscale.20 ") && contains(text, "trend.intercept")) << text;
  EXPECT_TRUE(contains(text, "and 5 more length scales, which --json has")) << text;
  EXPECT_FALSE(contains(text, "lengthscale.21"));
}

}  // namespace
}  // namespace ulisse
