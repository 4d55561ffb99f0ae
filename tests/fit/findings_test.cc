// What is found to be wrong with a fit, by code and values.

#include "ulisse/findings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "findings_of.h"
#include "fit/finding_json.h"
#include "fit/finding_limits.h"

namespace ulisse {
namespace {

using testing::Code;
using testing::Codes;
using testing::codes_of;
using testing::every_finding;
using testing::finding_of;
using testing::good_summary;
using testing::Options;
using testing::options_of;
using testing::quiet_chain;
using Json = nlohmann::ordered_json;

TEST(Findings, EachCodeCanBeFoundAndHasAName) {
  std::set<Code> found;
  for (const Finding& each : every_finding()) found.insert(each.code);
  std::set<std::string_view> names;
  for (const Code code : all_codes()) {
    EXPECT_TRUE(found.contains(code)) << to_string(code);
    EXPECT_TRUE(names.insert(to_string(code)).second) << to_string(code);
  }
  EXPECT_EQ(found.size(), all_codes().size());
  EXPECT_EQ(all_codes().size(), static_cast<std::size_t>(Code::product_bias) + 1);
}

TEST(Findings, NoneForAGoodFit) {
  EXPECT_TRUE(codes_of(good_summary()).empty());
  FitSummary sgld = good_summary();
  sgld.chain_details = {quiet_chain(), quiet_chain()};
  EXPECT_TRUE(codes_of(sgld).empty());
}

TEST(Findings, NoDrawsYet) {
  FitSummary s = good_summary();
  s.draws = 0;
  s.status = "interrupted";
  s.warmup = 120;
  s.parameters.clear();
  const Finding ended = finding_of(s);
  EXPECT_EQ(ended.code, Code::no_draws);
  EXPECT_EQ(ended.text("stage"), "warm-up");
  EXPECT_EQ(ended.number("iterations"), 120);
  EXPECT_EQ(options_of(ended), Options{"resume"});
  s.status = "running";
  EXPECT_TRUE(finding_of(s).remedies.empty());
  s.in_setup = true;
  EXPECT_EQ(finding_of(s).text("stage"), "set-up");
}

TEST(Findings, KilledIsNotRunning) {
  FitSummary s = good_summary();
  for (const char* status : {"killed", "interrupted"}) {
    s.status = status;
    EXPECT_EQ(finding_of(s).code, Code::incomplete);
    EXPECT_EQ(finding_of(s).text("status"), status);
  }
  s.status = "running";
  EXPECT_EQ(finding_of(s).code, Code::running);
}

TEST(Findings, OneChain) {
  FitSummary s = good_summary();
  s.chains = 1;
  EXPECT_EQ(finding_of(s).code, Code::one_chain);
}

TEST(Findings, ChainsApartAreNamedWithTheirRhat) {
  FitSummary s = good_summary();
  s.parameters[1].rhat = 1.0345;
  const Finding nearly = finding_of(s);
  EXPECT_EQ(nearly.code, Code::chains_nearly_agree);
  ASSERT_EQ(nearly.parameters.size(), 1U);
  EXPECT_EQ(nearly.parameters[0].parameter, "lambda");
  EXPECT_EQ(nearly.parameters[0].value, 1.0345);
  EXPECT_EQ(options_of(nearly), Options{"draws"});
  s.parameters[1].ess_tail = 10;  // which says that R-hat cannot be trusted
  EXPECT_EQ(finding_of(s).code, Code::too_few_effective_draws);
  s.parameters[1].ess_tail = 1000;
  s.parameters[1].rhat = 1.2;
  EXPECT_EQ(finding_of(s).code, Code::chains_disagree);
  EXPECT_EQ(options_of(finding_of(s)), (Options{"draws", "warmup", "sampler"}));
}

TEST(Findings, NumbersThatCouldNotBeComputedAreNotTakenForGood) {
  FitSummary s = good_summary();
  s.parameters[0].rhat = NAN;
  EXPECT_EQ(finding_of(s).code, Code::diagnostics_unknown);
  s = good_summary();
  s.parameters[0].mcse = NAN;
  EXPECT_EQ(finding_of(s).code, Code::diagnostics_unknown);
  s = good_summary();
  s.parameters[0].ess_bulk = s.parameters[0].ess_tail = NAN;
  EXPECT_EQ(finding_of(s).code, Code::too_few_effective_draws);
}

TEST(Findings, FewEffectiveDrawsInBulkOrTail) {
  for (double diagnose::ParameterSummary::*ess :
       {&diagnose::ParameterSummary::ess_bulk, &diagnose::ParameterSummary::ess_tail}) {
    FitSummary s = good_summary();
    s.parameters[0].*ess = 399;
    const Finding few = finding_of(s);
    EXPECT_EQ(few.code, Code::few_effective_draws);
    EXPECT_EQ(few.number("wanted"), 400);
    ASSERT_EQ(few.parameters.size(), 1U);
    EXPECT_EQ(few.parameters[0].value, 399);
    const bool tail = ess == &diagnose::ParameterSummary::ess_tail;
    EXPECT_EQ(few.parameters[0].statistic, tail ? "ess_tail" : "ess_bulk");
    s.parameters[0].*ess = 199;
    EXPECT_EQ(finding_of(s).code, Code::too_few_effective_draws);
  }
}

TEST(Findings, DivergentTrajectories) {
  const Finding divergent = finding_of(good_summary(), 3);
  EXPECT_EQ(divergent.code, Code::divergent_trajectories);
  EXPECT_EQ(divergent.number("trajectories"), 3);
  EXPECT_EQ(divergent.number("of"), 4000);
}

TEST(Findings, AStepThatWasNeverFrozenByNoise) {
  FitSummary s = good_summary();
  s.chain_details = {quiet_chain(), quiet_chain(), quiet_chain()};
  s.chain_details[2].frozen_by_noise = false;
  EXPECT_EQ(finding_of(s).code, Code::step_not_frozen);
  EXPECT_EQ(finding_of(s).number("chains"), 1);
  EXPECT_EQ(finding_of(s).number("of"), 3);
}

TEST(Findings, SolvesWhoseVarianceCannotBeSeen) {
  FitSummary s = good_summary();
  s.chain_details = {quiet_chain(), quiet_chain()};
  s.chain_details[0].untrustworthy = 0.009;
  EXPECT_TRUE(codes_of(s).empty());
  s.chain_details[1].untrustworthy = 0.25;
  EXPECT_EQ(finding_of(s).code, Code::rare_truncated_solves);
  EXPECT_EQ(finding_of(s).number("solves_per_iteration"), 0.25);
}

TEST(Findings, UnfinishedSolvesOfAllChainsAreCounted) {
  FitSummary s = good_summary();
  s.chain_details = {quiet_chain(), quiet_chain()};
  s.chain_details[0].unfinished_solves = 2;
  s.chain_details[1].unfinished_solves = 3;
  EXPECT_EQ(finding_of(s).code, Code::solves_not_converged);
  EXPECT_EQ(finding_of(s).number("solves"), 5);
}

TEST(Findings, StandInTheJsonOfASummary) {
  FitSummary s = good_summary();
  EXPECT_EQ(to_json(s).at("findings"), Json::array());
  s.parameters[1].rhat = 1.2;
  s.findings = findings_of(s, 0);
  const Json json = to_json(s).at("findings").at(0);
  EXPECT_EQ(json.at("code"), "chains_disagree");
  EXPECT_EQ(json.at("values").at("limit"), 1.01);
  EXPECT_EQ(json.at("parameters").at("lambda").at("rhat"), 1.2);
  EXPECT_EQ(json.at("remedies").at(0).dump(), R"({"option":"draws","change":"increase"})");
  EXPECT_EQ(to_json(Finding{.values = {{"share", INFINITY}}}).at("values").at("share"), nullptr);
}

TEST(Findings, NumbersThatCouldNotBeComputedAreNullInJson) {
  FitSummary s = good_summary();
  s.parameters[0].rhat = NAN;
  s.seconds_per_independent_sample = NAN;
  const Json json = to_json(s);
  EXPECT_TRUE(json.at("parameters").at("tau").at("rhat").is_null());
  EXPECT_TRUE(json.at("seconds_per_independent_sample").is_null());
}

TEST(Findings, AChainThatWasCutShort) {
  FitSummary s = good_summary();
  s.lengths = {1000, 900, 1000, 1000};
  const Finding cut = finding_of(s);
  EXPECT_EQ(cut.code, Code::chain_cut_short);
  EXPECT_EQ(cut.text("file"), "chain_2.csv");
  EXPECT_EQ(cut.number("draws"), 900);
  EXPECT_EQ(cut.number("expected"), 1000);
  EXPECT_EQ(options_of(cut), Options{"force"});
  s.status = "killed";  // which leaves them so
  EXPECT_EQ(finding_of(s).code, Code::incomplete);
  s.announced_draws = 950;
  EXPECT_EQ(codes_of(s), (Codes{Code::incomplete, Code::chain_cut_short}));
}

// The shorter one was blamed, and said to be cut short.
TEST(Findings, AChainWithRowsThatTheFitDidNotWrite) {
  FitSummary s = good_summary();
  s.announced_draws = 1000;
  s.lengths = {1000, 1001, 1000, 1000};
  EXPECT_EQ(finding_of(s).code, Code::chain_too_long);
  EXPECT_EQ(finding_of(s).text("file"), "chain_2.csv");
}

TEST(Findings, APriorThatMovesInformativeDataALittleIsNotSpokenOf) {
  FitSummary s = good_summary();
  s.prior_effects = {testing::prior_effect(0.2)};
  EXPECT_EQ(codes_of(s), Codes{Code::prior_conflict});
  s.prior_effects[0].by_default = true;
  EXPECT_EQ(codes_of(s), Codes{Code::prior_matters}) << "nobody said it";
  s.prior_effects[0].by_default = false;
  s.prior_effects[0].sensitivity = 0.1;
  EXPECT_TRUE(codes_of(s).empty());
  s.prior_effects[0].likelihood = 0.02;
  EXPECT_EQ(codes_of(s), Codes{Code::prior_matters}) << "the data say little against it";
  s.prior_effects[0].effective_draws = 50;
  EXPECT_TRUE(codes_of(s).empty());
}

TEST(Findings, AValueThatIsNotThereIsAnError) {
  const Finding cut{.code = Code::long_drifts, .values = {{"steps", 3.0}, {"file", "a"}}};
  EXPECT_EQ(cut.number("steps"), 3);
  EXPECT_THROW(cut.number("of"), std::invalid_argument);
  EXPECT_THROW(cut.number("file"), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
