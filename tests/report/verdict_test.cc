#include "report/verdict.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fit/judge_fit.h"

namespace ulisse {
namespace {

FitSummary good_fit() {
  FitSummary s;
  s.sampler = "mh";
  s.status = "complete";
  s.chains = 4;
  s.draws = 1000;
  s.parameters = {{.name = "tau",
                   .mean = 1,
                   .sd = 0.5,
                   .mcse = 0.01,
                   .q5 = 0,
                   .q50 = 1,
                   .q95 = 2,
                   .ess_bulk = 2000,
                   .ess_tail = 1500,
                   .rhat = 1.002}};
  return s;
}

Verdict verdict_on(FitSummary s) {
  s.findings = findings_of(s, 0);
  return verdict_of(s);
}

TEST(Verdict, TrustsChainsThatAgree) {
  const Verdict verdict = verdict_of(good_fit());
  EXPECT_EQ(verdict.level, Verdict::Level::trust);
  ASSERT_EQ(verdict.reasons.size(), 2u);
  EXPECT_NE(verdict.reasons[0].find("1.0020"), std::string::npos);
  EXPECT_NE(verdict.reasons[1].find("1500"), std::string::npos);
  EXPECT_NE(verdict.reasons[1].find("0.02"), std::string::npos);
}

TEST(Verdict, IsCarefulWithASamplerThatDoesNotMeasureItsBias) {
  FitSummary s = good_fit();
  s.sampler = "sgld";
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::caution);
}

TEST(Verdict, IsCarefulWhereSomethingWasFound) {
  FitSummary s = good_fit();
  s.parameters[0].ess_tail = 399;
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::caution);
}

TEST(Verdict, DistrustsWhatDisagreesOrIsTooLittle) {
  const auto level = [](auto change) {
    FitSummary s = good_fit();
    change(s);
    return verdict_on(s).level;
  };
  EXPECT_EQ(level([](FitSummary& s) { s.parameters[0].rhat = 1.02; }), Verdict::Level::distrust);
  EXPECT_EQ(level([](FitSummary& s) { s.parameters[0].rhat = NAN; }), Verdict::Level::distrust);
  EXPECT_EQ(level([](FitSummary& s) { s.parameters[0].ess_tail = 150; }), Verdict::Level::distrust);
  EXPECT_EQ(level([](FitSummary& s) { s.draws = 0; }), Verdict::Level::distrust);
}

TEST(Verdict, DistrustsDrawsThatMissAMode) {
  FitSummary s = good_fit();
  s.other_modes = 0.3;
  s.other_draws = 0.25;  // mh went from one to the other
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::trust);
  s.other_draws = 0.05;
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::distrust);
  s.other_draws = 0.9;
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::distrust);
  s.other_draws = 0.3;
  s.sampler = "ulisse";
  EXPECT_EQ(verdict_on(s).level, Verdict::Level::distrust);
}

}  // namespace
}  // namespace ulisse
