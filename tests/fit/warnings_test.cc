// What is said about a fit that is not to be trusted.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fit/summary.h"
#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::contains;
using Json = nlohmann::ordered_json;

FitSummary good() {
  const diagnose::ParameterSummary p{.name = "tau",
                                     .mean = 1,
                                     .sd = 1,
                                     .mcse = 0.01,
                                     .q5 = 0.1,
                                     .q50 = 1,
                                     .q95 = 2,
                                     .ess_bulk = 500,
                                     .ess_tail = 450,
                                     .rhat = 1.002};
  FitSummary s;
  s.sampler = "mh";
  s.status = "complete";
  s.chains = 4;
  s.draws = 1000;
  s.warmup = 500;
  s.parameters = {p, p};
  s.parameters[1].name = "lambda";
  return s;
}

ChainRecord quiet_chain() { return {.frozen_by_noise = true}; }

// The only warning there is.
std::string warning_of(const FitSummary& s, long divergent = 0) {
  const auto warnings = warnings_of(s, divergent);
  EXPECT_EQ(warnings.size(), 1U);
  return warnings.empty() ? "" : warnings[0];
}

TEST(Warnings, NoneForAGoodFit) {
  EXPECT_TRUE(warnings_of(good(), 0).empty());
  FitSummary sgld = good();
  sgld.chain_details = {quiet_chain(), quiet_chain()};
  EXPECT_TRUE(warnings_of(sgld, 0).empty());
}

TEST(Warnings, NoDrawsYet) {
  FitSummary s = good();
  s.draws = 0;
  s.status = "interrupted";
  s.warmup = 120;
  s.parameters.clear();
  EXPECT_TRUE(contains(warning_of(s), "was interrupted in its warm-up (120 iterations); go on"));
  s.status = "running";
  EXPECT_TRUE(contains(warning_of(s), "there are no draws yet: the fit is running in its warm-up"));
}

TEST(Warnings, AFitThatEndedInItsSetUpIsNotSaidToHaveBeenInItsWarmUp) {
  FitSummary s = good();
  s.draws = s.warmup = 0;
  s.parameters.clear();
  s.in_setup = true;
  for (const char* status : {"interrupted", "killed"}) {
    s.status = status;
    const std::string words = fmt::format("was {} in its set-up; go on with --resume", status);
    EXPECT_TRUE(contains(warning_of(s), words)) << warning_of(s);
  }
}

TEST(Warnings, KilledIsNotRunning) {
  FitSummary s = good();
  s.status = "killed";
  EXPECT_TRUE(contains(warning_of(s), "the fit was killed; go on with --resume"));
  s.status = "running";
  EXPECT_TRUE(contains(warning_of(s), "the fit is running"));
}

TEST(Warnings, NotComplete) {
  FitSummary s = good();
  s.status = "interrupted";
  EXPECT_TRUE(contains(warning_of(s), "not complete"));
}

TEST(Warnings, OneChain) {
  FitSummary s = good();
  s.chains = 1;
  EXPECT_TRUE(contains(warning_of(s), "one chain cannot disagree with itself"));
}

TEST(Warnings, ChainsApartAreNamedWithTheirRhat) {
  FitSummary s = good();
  s.parameters[1].rhat = 1.0345;
  const std::string text = warning_of(s);
  EXPECT_TRUE(contains(text, "R-hat is above 1.01 (lambda 1.03"));
  EXPECT_FALSE(contains(text, "tau"));
}

TEST(Warnings, NumbersThatCouldNotBeComputedAreNotTakenForGood) {
  FitSummary s = good();
  s.parameters[0].rhat = NAN;
  EXPECT_TRUE(contains(warning_of(s), "R-hat cannot be computed"));
  s = good();
  s.parameters[0].ess_bulk = s.parameters[0].ess_tail = NAN;
  EXPECT_TRUE(contains(warning_of(s), "few effective samples"));
}

TEST(Warnings, FewEffectiveSamplesInBulkOrTail) {
  for (double diagnose::ParameterSummary::*ess :
       {&diagnose::ParameterSummary::ess_bulk, &diagnose::ParameterSummary::ess_tail}) {
    FitSummary s = good();
    s.parameters[0].*ess = 399;
    const bool tail = ess == &diagnose::ParameterSummary::ess_tail;
    EXPECT_TRUE(contains(warning_of(s), tail ? "few effective samples (tau 399 in the tails; 400"
                                             : "few effective samples (tau 399; 400 are wanted)"));
  }
}

TEST(Warnings, DivergentTrajectories) {
  EXPECT_TRUE(contains(warning_of(good(), 3), "3 of 4000 trajectories diverged"));
}

TEST(Warnings, AStepThatWasNeverFrozenByNoise) {
  FitSummary s = good();
  s.chain_details = {quiet_chain(), quiet_chain(), quiet_chain()};
  s.chain_details[2].frozen_by_noise = false;
  EXPECT_TRUE(contains(warning_of(s), "never frozen in 1 of 3 chains"));
}

TEST(Warnings, SolvesWhoseVarianceCannotBeSeen) {
  FitSummary s = good();
  s.chain_details = {quiet_chain(), quiet_chain()};
  s.chain_details[0].untrustworthy = 0.009;
  EXPECT_TRUE(warnings_of(s, 0).empty());
  s.chain_details[1].untrustworthy = 0.25;
  EXPECT_TRUE(contains(warning_of(s), "up to 0.25 truncated solves an iteration"));
}

TEST(Warnings, UnfinishedSolvesOfAllChainsAreCounted) {
  FitSummary s = good();
  s.chain_details = {quiet_chain(), quiet_chain()};
  s.chain_details[0].unfinished_solves = 2;
  s.chain_details[1].unfinished_solves = 3;
  EXPECT_TRUE(contains(warning_of(s), "5 solves hit the iteration limit"));
}

TEST(Warnings, StandInTheTextAndTheJson) {
  FitSummary s = good();
  EXPECT_TRUE(contains(to_text(s), "No sign of trouble"));
  s.warnings = {"something"};
  EXPECT_TRUE(contains(to_text(s), "warning: something"));
  EXPECT_FALSE(contains(to_text(s), "No sign of trouble"));
  EXPECT_EQ(to_json(s).at("warnings"), Json::array({"something"}));
}

TEST(Warnings, NumbersThatCouldNotBeComputedAreNullInJson) {
  FitSummary s = good();
  s.parameters[0].rhat = NAN;
  s.seconds_per_independent_sample = NAN;
  const Json json = to_json(s);
  EXPECT_TRUE(json.at("parameters").at("tau").at("rhat").is_null());
  EXPECT_TRUE(json.at("seconds_per_independent_sample").is_null());
}

TEST(Warnings, ChainsThatNearlyAgreeWantDrawsAndNothingElse) {
  FitSummary s = good();
  s.parameters[1].rhat = 1.012;
  EXPECT_FALSE(contains(warning_of(s), "can be trusted"));
  s.parameters[1].rhat = 1.2;
  EXPECT_TRUE(contains(warning_of(s), "none of these numbers can be trusted"));
}

// Exact samplers may go from one mode to the other, and their draws say whether they did.
TEST(Warnings, AModeThatTheDrawsMiss) {
  FitSummary s = good();
  s.other_modes = 0.4;
  s.other_draws = 0.35;
  EXPECT_TRUE(warnings_of(s, 0).empty());
  EXPECT_TRUE(contains(to_text(s), "35 % of the draws are nearer to that one"));
  s.other_draws = 0.1;
  EXPECT_TRUE(contains(warning_of(s), "another mode, which holds about 40 %"));
  EXPECT_FALSE(contains(to_text(s), "10 % of the draws are nearer to that one."));
  s.other_draws = 0.35;
  s.parameters[0].rhat = 1.5;  // half of the chains at each, and none at both
  EXPECT_EQ(warnings_of(s, 0).size(), 2U);
  s = good();
  s.other_modes = 0.4;
  s.other_draws = 0.35;
  s.sampler = "ulisse";
  EXPECT_TRUE(contains(warning_of(s), "--sampler mh"));
}

// Swaps lead to one other mode alone.
TEST(Warnings, AChainThatWasCutShort) {
  FitSummary s = good();
  s.lengths = {1000, 900, 1000, 1000};
  EXPECT_TRUE(contains(warning_of(s), "chain_2.csv has 900 draws where there were 1000"));
  EXPECT_TRUE(contains(warning_of(s), "fit again with --force"));
  s.status = "killed";  // which leaves them so
  EXPECT_TRUE(contains(warning_of(s), "go on with --resume"));
  s.announced_draws = 950;
  EXPECT_EQ(warnings_of(s, 0).size(), 2U);
}

// The shorter one was blamed, and said to be cut short.
TEST(Warnings, AChainWithRowsThatTheFitDidNotWrite) {
  FitSummary s = good();
  s.announced_draws = 1000;
  s.lengths = {1000, 1001, 1000, 1000};
  EXPECT_TRUE(contains(warning_of(s),
                       "chain_2.csv has 1001 draws where there were 1000: it has "
                       "rows that the fit did not write"));
}

// It was told of without a name or a value.
TEST(Warnings, NameThePlaceOfAnotherMode) {
  FitSummary s = good();
  s.other_modes = 0.4;
  s.other_draws = 0.35;
  s.other_place = (Vector(2) << 0.5, 3e-4).finished();
  EXPECT_TRUE(contains(to_text(s), "another mode, at tau = 0.5, lambda = 0.0003, which holds"));
  EXPECT_EQ(to_json(s).at("other_modes").at("largest_at").at("lambda"), 3e-4);
  s.other_draws = 0;
  EXPECT_TRUE(contains(warning_of(s), "another mode, at tau = 0.5, lambda = 0.0003, which holds"));
}

TEST(Warnings, AModeThatSwapsMiss) {
  FitSummary s = good();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.exact = true, .swaps = true};
  s.other_modes = s.second_mode = 0.3;
  s.other_draws = 0.35;
  EXPECT_TRUE(warnings_of(s, 0).empty());
  s.other_draws = 0.01;
  EXPECT_TRUE(contains(warning_of(s), "not swapped with it often enough"));
  EXPECT_TRUE(contains(warning_of(s), "--sampler mh"));
  s.other_draws = 0.35;
  s.second_mode = 0.2;
  EXPECT_TRUE(contains(warning_of(s), "more than one"));
}

TEST(Warnings, ExactStepsNeedNoneOfLangevins) {
  FitSummary s = good();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.bend = 2, .step = 0.3, .unfinished_solves = 3};
  EXPECT_EQ(warnings_of(s, 0).size(), 2U);
  EXPECT_EQ(about_exact_steps(s), "");
  s.setup->exact = true;
  s.setup->why_exact = "there are few rows";
  EXPECT_TRUE(warnings_of(s, 0).empty());
  EXPECT_TRUE(contains(about_exact_steps(s), "since there are few rows"));
  s.setup->metric_repaired = true;
  EXPECT_TRUE(contains(warning_of(s), "saddle or a ridge")) << "which no step mends";
  s.draws = 0;
  EXPECT_EQ(about_exact_steps(s), "");
}

TEST(Warnings, OfNoiseFarOutThatStepsCannotCorrectFor) {
  FitSummary s = good();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.noise_share = 0.05, .noise_share_far_out = 0.2};
  EXPECT_TRUE(warnings_of(s, 0).empty());
  s.setup->noise_share_far_out = 0.3;
  EXPECT_TRUE(contains(warning_of(s), "solves that are cut add 30 % to the draws' variance"));
  s.setup->noise_share_far_out = INFINITY;
  EXPECT_TRUE(contains(warning_of(s), "solves that are cut add too much"));
  s.setup->noise_share = 0.2;
  EXPECT_TRUE(warnings_of(s, 0).empty()) << "it was not looked at; warm-up shortens steps";
}

TEST(Warnings, OfModesOfASubset) {
  FitSummary s = good();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.searched_rows = 2000, .other_share_there = 0.05};
  EXPECT_TRUE(warnings_of(s, 0).empty());
  s.setup->other_share_there = 0.4;
  EXPECT_TRUE(contains(warning_of(s), "in the 2000 rows in which modes were looked for"));
}

TEST(Warnings, OfTheSamplerUlisse) {
  FitSummary s = good();
  s.sampler = "ulisse";
  s.setup = SetupRecord{};
  s.chain_details = {{.untrustworthy = 5}};
  EXPECT_TRUE(contains(warning_of(s), "draws too rare to be seen"));
  s.chain_details = {{.step_reduced = true}};
  EXPECT_TRUE(contains(warning_of(s), "steps were halved"));
  s.chain_details = {};
  s.setup = SetupRecord{.bend = INFINITY, .off_mode = INFINITY, .measured_off_mode = true};
  EXPECT_TRUE(contains(warning_of(s), "cannot be computed"));
  s.setup = SetupRecord{.off_mode = 2.5, .measured_off_mode = true};
  EXPECT_TRUE(contains(warning_of(s), "2.5 posterior standard deviations from the mode"));
  s.setup = SetupRecord{.unfinished_solves = 3};
  EXPECT_TRUE(contains(warning_of(s), "3 solves at the mode did not come to their tolerance"));
  s.setup = SetupRecord{};
  s.mode_converged = false;
  EXPECT_TRUE(contains(warning_of(s), "search for the mode"));
  for (const double not_near : {0.2, double(INFINITY)}) {
    s.setup = SetupRecord{.off_mode = not_near, .measured_off_mode = true};
    EXPECT_TRUE(contains(warning_of(s), "search for the mode"));
  }
  s.setup = SetupRecord{.off_mode = 0.001, .measured_off_mode = true};
  EXPECT_TRUE(warnings_of(s, 0).empty()) << "it ended at a mode all the same";
  s.setup->metric_repaired = true;
  EXPECT_TRUE(contains(warnings_of(s, 0)[0], "search for the mode"));
  s.setup = SetupRecord{};
  s.sampler = "nuts";
  EXPECT_TRUE(warnings_of(s, 0).empty()) << "it does not need the mode";
}

}  // namespace
}  // namespace ulisse
