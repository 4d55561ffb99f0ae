#include "report/finding_words.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/advice.h"
#include "support/error_message.h"
#include "support/summaries.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::every_finding;
using testing::good_summary;
using Code = Finding::Code;
using Change = Finding::Remedy::Change;

constexpr OptionNames kAllNames[] = {OptionNames::plain, OptionNames::command_line,
                                     OptionNames::python, OptionNames::r};

TEST(FindingWords, EachFindingHasASentenceInEveryStyle) {
  for (const Finding& finding : every_finding()) {
    for (const OptionNames names : kAllNames) {
      const std::string text = sentence(finding, names);
      EXPECT_GT(text.size(), 30U) << text;
      EXPECT_NE(text.back(), '.') << text;
      for (const char* wrong : {"nan", "inf ", "{", "}", "  "}) {
        EXPECT_FALSE(contains(text, wrong)) << text;
      }
    }
  }
}

TEST(FindingWords, FlagsAreTheCommandLinesAlone) {
  for (const Finding& finding : every_finding()) {
    for (const OptionNames names : {OptionNames::plain, OptionNames::python, OptionNames::r}) {
      EXPECT_FALSE(contains(sentence(finding, names), "--")) << sentence(finding, names);
    }
  }
}

// But for Python's, which has no folder to go on in.
TEST(FindingWords, EachRemedyIsNamed) {
  for (const Finding& finding : every_finding()) {
    for (const Finding::Remedy& remedy : finding.remedies) {
      for (const OptionNames names : kAllNames) {
        if (names == OptionNames::python && (remedy.option == "resume" || remedy.option == "force"))
          continue;
        const std::string name = option_named(remedy.option, names);
        EXPECT_TRUE(contains(sentence(finding, names), name)) << sentence(finding, names);
      }
    }
  }
}

TEST(FindingWords, NamesOptionsAsEachFrontEndDoes) {
  const Finding finding{
      .code = Code::spread_bias,
      .values = {{"share", 0.2}, {"standard_error", 0.01}},
      .remedies = {{"step", Change::set, 0.65}, {"sampler", Change::set, "nuts"}}};
  const std::string what =
      "the bias of posterior standard deviations is about 20 % in the worst direction, because of "
      "the step size; take ";
  EXPECT_EQ(sentence(finding, OptionNames::command_line), what + "--step 0.65 or --sampler nuts");
  EXPECT_EQ(sentence(finding, OptionNames::python), what + "step=0.65 or sampler=\"nuts\"");
  EXPECT_EQ(sentence(finding, OptionNames::r), what + "step = 0.65 or sampler = \"nuts\"");
}

TEST(FindingWords, AKilledFitGoesOnWhereItsFolderIs) {
  FitSummary s = good_summary();
  s.draws = 0;
  s.status = "killed";
  s.in_setup = true;
  const Finding none = findings_of(s, 0).at(0);
  EXPECT_EQ(sentence(none, OptionNames::command_line),
            "there are no draws: the fit was killed in its set-up; go on with --resume");
  EXPECT_TRUE(contains(sentence(none, OptionNames::python), "a larger time_limit"));
}

TEST(FindingWords, ParametersAreNamedWithTheirStatistics) {
  FitSummary s = good_summary();
  s.parameters[1].rhat = 1.0345;
  s.parameters[0].ess_tail = 399;
  const auto texts = sentences(findings_of(s, 0), OptionNames::command_line);
  ASSERT_EQ(texts.size(), 2U);
  EXPECT_TRUE(contains(texts[0], "R-hat is above 1.01 (lambda 1.03")) << texts[0];
  EXPECT_FALSE(contains(texts[0], "can be trusted"));
  EXPECT_TRUE(contains(texts[1], "(tau 399 in the tails; 400 are wanted)")) << texts[1];
}

TEST(FindingWords, NameThePlaceOfAnotherMode) {
  FitSummary s = good_summary();
  s.other_modes = 0.4;
  s.other_place = (Vector(2) << 0.5, 3e-4).finished();
  const std::string text = sentence(findings_of(s, 0).at(0), OptionNames::command_line);
  EXPECT_TRUE(contains(text, "another mode, at tau = 0.5, lambda = 0.0003, with about 40 %"))
      << text;
}

TEST(Advice, OfNoneIsEmpty) { EXPECT_EQ(advice({}, OptionNames::command_line), ""); }

TEST(Advice, JoinsWhatToTakeAndWhatToCompareWith) {
  EXPECT_EQ(advice({{"draws", Change::increase, {}},
                    {"warmup", Change::increase, {}},
                    {"sampler", Change::compare, "nuts"},
                    {"step", Change::halve, {}}},
                   OptionNames::command_line),
            "take more --draws, a longer --warmup or half the --step, or compare with --sampler "
            "nuts where the number of rows allows it");
}

}  // namespace
}  // namespace ulisse
