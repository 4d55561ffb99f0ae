// What is found to be wrong with modes, and with the sampler ulisse.

#include <gtest/gtest.h>

#include <cmath>

#include "findings_of.h"
#include "fit/finding_limits.h"

namespace ulisse {
namespace {

using testing::Code;
using testing::Codes;
using testing::codes_of;
using testing::finding_of;
using testing::good_summary;
using testing::Options;
using testing::options_of;

// Exact samplers may go from one mode to the other, and their draws say whether they did.
TEST(Findings, AModeThatTheDrawsMiss) {
  FitSummary s = good_summary();
  s.other_modes = 0.4;
  s.other_draws = 0.35;
  EXPECT_TRUE(codes_of(s).empty());
  s.other_draws = 0.1;
  EXPECT_EQ(finding_of(s).code, Code::mode_missed);
  EXPECT_EQ(finding_of(s).number("share"), 0.4);
  s.other_draws = 0.35;
  s.parameters[0].rhat = 1.5;  // half of the chains at each, and none at both
  EXPECT_EQ(codes_of(s), (Codes{Code::chains_disagree, Code::mode_missed}));
  s.parameters[0].rhat = 1;
  s.sampler = "ulisse";
  const Finding missed = finding_of(s);
  ASSERT_EQ(options_of(missed), (Options{"sampler", "priors"}));
  EXPECT_EQ(std::get<std::string>(*missed.remedies[0].value), "mh");
  EXPECT_TRUE(forbids_use(missed));
}

// It was told of without a name or a value.
TEST(Findings, NameThePlaceOfAnotherMode) {
  FitSummary s = good_summary();
  s.other_modes = 0.4;
  s.other_place = (Vector(2) << 0.5, 3e-4).finished();
  const Finding missed = finding_of(s);
  ASSERT_EQ(missed.parameters.size(), 2U);
  EXPECT_EQ(missed.parameters[1].parameter, "lambda");
  EXPECT_EQ(missed.parameters[1].value, 3e-4);
  EXPECT_EQ(to_json(s).at("other_modes").at("largest_at").at("lambda"), 3e-4);
}

// Swaps lead to one other mode alone.
TEST(Findings, AModeThatSwapsMiss) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.exact = true, .swaps = true};
  s.other_modes = s.second_mode = 0.3;
  s.other_draws = 0.35;
  EXPECT_TRUE(codes_of(s).empty());
  s.other_draws = 0.01;
  EXPECT_EQ(finding_of(s).text("why"), "few_swaps");
  s.other_draws = 0.35;
  s.second_mode = 0.2;
  EXPECT_EQ(finding_of(s).text("why"), "third_mode");
}

TEST(Findings, ExactStepsNeedNoneOfLangevins) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.bend = 2, .step = 0.3, .unfinished_solves = 3};
  EXPECT_EQ(codes_of(s), (Codes{Code::posterior_not_gaussian, Code::anchor_solves_not_converged}));
  s.setup->exact = true;
  EXPECT_TRUE(codes_of(s).empty());
  s.setup->metric_repaired = true;
  EXPECT_EQ(codes_of(s), Codes{Code::curvature_repaired}) << "which no step mends";
}

TEST(Findings, NoiseFarOutThatStepsCannotCorrectFor) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.noise_share = 0.05, .noise_share_far_out = 0.2};
  EXPECT_TRUE(codes_of(s).empty());
  for (const double share : {0.3, double(INFINITY)}) {
    s.setup->noise_share_far_out = share;
    EXPECT_EQ(finding_of(s).code, Code::noise_in_tails);
    EXPECT_EQ(finding_of(s).number("share"), share);
  }
  s.setup->noise_share = 0.2;
  EXPECT_TRUE(codes_of(s).empty()) << "it was not looked at; warm-up shortens steps";
}

TEST(Findings, ModesOfASubset) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = SetupRecord{.searched_rows = 2000, .other_modes_share = 0.05};
  EXPECT_TRUE(codes_of(s).empty());
  s.setup->other_modes_share = 0.4;
  EXPECT_EQ(finding_of(s).code, Code::modes_in_subset);
  EXPECT_EQ(finding_of(s).number("rows"), 2000);
}

TEST(Findings, OfTheSamplerUlisse) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.setup = SetupRecord{};
  s.chain_details = {{.untrustworthy = 5}};
  EXPECT_EQ(codes_of(s), Codes{Code::rare_truncated_solves});
  s.chain_details = {{.step_reduced = true}};
  EXPECT_EQ(codes_of(s), Codes{Code::steps_halved});
  s.chain_details = {};
  s.setup =
      SetupRecord{.bend = INFINITY, .mode_distance = INFINITY, .measured_mode_distance = true};
  EXPECT_EQ(codes_of(s), Codes{Code::posterior_undefined});
  s.setup = SetupRecord{.mode_distance = 2.5, .measured_mode_distance = true};
  EXPECT_EQ(codes_of(s), Codes{Code::anchor_far_from_mode});
  EXPECT_EQ(finding_of(s).number("distance"), 2.5);
  s.setup = SetupRecord{.unfinished_solves = 3};
  EXPECT_EQ(codes_of(s), Codes{Code::anchor_solves_not_converged});
}

TEST(Findings, OfASearchThatDidNotConverge) {
  FitSummary s = good_summary();
  s.sampler = "ulisse";
  s.mode_converged = false;
  s.setup = SetupRecord{};
  EXPECT_EQ(codes_of(s), Codes{Code::mode_not_converged});
  for (const double not_near : {0.2, double(INFINITY)}) {
    s.setup = SetupRecord{.mode_distance = not_near, .measured_mode_distance = true};
    EXPECT_EQ(codes_of(s), Codes{Code::mode_not_converged});
  }
  s.setup = SetupRecord{.mode_distance = 0.001, .measured_mode_distance = true};
  EXPECT_TRUE(codes_of(s).empty()) << "it ended at a mode all the same";
  s.setup->metric_repaired = true;
  EXPECT_EQ(codes_of(s)[0], Code::mode_not_converged);
  s.setup = SetupRecord{};
  s.sampler = "nuts";
  EXPECT_TRUE(codes_of(s).empty()) << "it does not need the mode";
}

}  // namespace
}  // namespace ulisse
