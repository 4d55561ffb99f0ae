// Presets, checks, and settings on their way through fit.json.

#include "fit/settings.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

TEST(Settings, DefaultsOfExactSamplers) {
  const FitSettings mh = settings_for("mh", "default", 1030),
                    nuts = settings_for("nuts", "default", 1030);
  EXPECT_EQ(mh.chains, 4);
  EXPECT_EQ(mh.warmup, 500);
  EXPECT_EQ(mh.draws, 1000);
  EXPECT_EQ(nuts.chains, 4);
  EXPECT_EQ(nuts.warmup, 300);
  EXPECT_EQ(nuts.draws, 500);
  EXPECT_EQ(mh.seed, 1U);
  EXPECT_EQ(mh.backend, "auto");
}

TEST(Settings, DefaultsOfSgld) {
  const FitSettings s = settings_for("sgld", "default", 1030);
  EXPECT_EQ(s.chains, 4);
  EXPECT_EQ(s.warmup, 500);
  EXPECT_EQ(s.draws, 5000);
  EXPECT_EQ(s.sgld.probes, 4);
  EXPECT_EQ(s.sgld.probe_kind, "preconditioned");
  EXPECT_EQ(s.sgld.q, 0.1);
  EXPECT_EQ(s.sgld.truncation, "exp(1)");
  EXPECT_EQ(s.sgld.step_rule, "noise");
  EXPECT_EQ(s.sgld.first_step, 0.1);
  EXPECT_EQ(s.sgld.noise_ratio, 0.02);
  EXPECT_EQ(s.sgld.noise_from, "probes");
  EXPECT_EQ(s.sgld.batch, 100);
  EXPECT_EQ(s.sgld.redraw_every, 1);
  EXPECT_EQ(s.sgld.subset, 1000);
  EXPECT_TRUE(s.sgld.scale_metric);
  EXPECT_EQ(s.sgld.iterations, 0);
}

// A fifth of the rows, at most 1000, and at most a gigabyte for two matrices of n rows.
TEST(Settings, RankGrowsWithTheRowsAndStaysWithinMemory) {
  const auto rank = [](Index n) { return settings_for("sgld", "default", n).sgld.rank; };
  EXPECT_EQ(rank(2), 1);
  EXPECT_EQ(rank(1030), 206);
  EXPECT_EQ(rank(22784), 1000);
  EXPECT_EQ(rank(1000000), 62);
}

TEST(Settings, ThePaperOnConcrete) {
  const FitSettings s = settings_for("sgld", "paper", 1030);
  EXPECT_EQ(s.chains, 10);
  EXPECT_EQ(s.warmup, 30000);
  EXPECT_EQ(s.draws, 0);
  EXPECT_EQ(s.sgld.iterations, 40000);
  EXPECT_EQ(s.sgld.probes, 4);
  EXPECT_EQ(s.sgld.probe_kind, "rademacher");
  EXPECT_EQ(s.sgld.rank, 0);
  EXPECT_EQ(s.sgld.q, 1);
  EXPECT_EQ(s.sgld.truncation, "exp(1)");
  EXPECT_EQ(s.sgld.step_rule, "schedule");
  EXPECT_EQ(s.sgld.first_step, 1e-1);
  EXPECT_EQ(s.sgld.last_step, 1e-4);
  EXPECT_EQ(s.sgld.schedule, 40000);
  EXPECT_EQ(s.sgld.noise_ratio, 0.002);
  EXPECT_EQ(s.sgld.noise_from, "batch");
  EXPECT_EQ(s.sgld.batch, 100);
  EXPECT_EQ(s.sgld.redraw_every, 20);
  EXPECT_EQ(s.sgld.subset, 500);
  EXPECT_FALSE(s.sgld.scale_metric);
}

TEST(Settings, ThePapersPriorIsGammaOfRateOneTenthWhereTheUserSetsNone) {
  const std::vector<std::string> none, tau = {"tau =gamma(2,1)"}, one_tau = {"tau.2=gamma(2,1)"};
  EXPECT_EQ(
      priors_of("paper", none),
      (std::vector<std::string>{"sigma=gamma(1,0.1)", "tau=gamma(1,0.1)", "lambda=gamma(1,0.1)"}));
  EXPECT_EQ(
      priors_of("paper", tau),
      (std::vector<std::string>{"sigma=gamma(1,0.1)", "lambda=gamma(1,0.1)", "tau =gamma(2,1)"}));
  EXPECT_EQ(priors_of("paper", one_tau).size(), 4U);  // that of the other taus stays the paper's
  EXPECT_EQ(priors_of("paper", one_tau).back(), one_tau[0]);
  EXPECT_EQ(priors_of("default", tau), tau);
}

TEST(Settings, ThePaperOnCensus) {
  const FitSettings s = settings_for("sgld", "paper", 22784);
  EXPECT_EQ(s.chains, 5);
  EXPECT_EQ(s.sgld.first_step, 5e-2);
  EXPECT_EQ(s.sgld.last_step, 5e-6);
  EXPECT_EQ(s.sgld.subset, 1000);
}

TEST(Settings, ThePaperHasMetropolisHastingsButNotNuts) {
  const FitSettings s = settings_for("mh", "paper", 1030);
  EXPECT_EQ(s.chains, 1);
  EXPECT_EQ(s.warmup, 10000);
  EXPECT_EQ(s.draws, 40000);
  EXPECT_TRUE(contains(message_of([] { settings_for("nuts", "paper", 1030); }), "not nuts"));
}

TEST(Settings, UnknownNamesAreRefusedWithTheKnownOnes) {
  EXPECT_EQ(message_of([] { settings_for("gibbs", "default", 10); }),
            "--sampler: 'gibbs' is none of ulisse, sgld, mh, nuts, auto");
  EXPECT_EQ(message_of([] { settings_for("mh", "quick", 10); }),
            "--preset: 'quick' is none of default, paper");
}

TEST(Settings, EveryPresetPassesItsOwnCheck) {
  for (const char* preset : {"default", "paper"}) {
    for (const Index n : {2, 1030, 22784}) {
      EXPECT_NO_THROW(check(settings_for("sgld", preset, n)));
      EXPECT_NO_THROW(check(settings_for("mh", preset, n)));
    }
  }
  EXPECT_NO_THROW(check(settings_for("nuts", "default", 1030)));
}

TEST(Settings, WhatDoesNotGoTogetherIsSaid) {
  const std::vector<std::pair<std::function<void(SgldSettings&)>, std::string>> cases = {
      {[](SgldSettings& s) { s.probe_kind = "gauss"; },
       "--probes: 'gauss' is none of rademacher, preconditioned"},
      {[](SgldSettings& s) { s.step_rule = "fast"; },
       "--step-rule: 'fast' is none of schedule, noise"},
      {[](SgldSettings& s) { s.noise_from = "air"; },
       "--noise-from: 'air' is none of batch, probes"},
      {[](SgldSettings& s) { s.truncation = "exp(x)"; }, "not a truncation rule"},
      {[](SgldSettings& s) { s.rank = 0; }, "--rank above 0"},
      {[](SgldSettings& s) { s.probes = 1; }, "--noise-from probes wants two probes or more"},
      {[](SgldSettings& s) { s.last_step = 1; }, "--last-step must not be larger"}};
  for (const auto& [spoil, words] : cases) {
    FitSettings s = settings_for("sgld", "default", 1030);
    spoil(s.sgld);
    EXPECT_TRUE(contains(message_of([&] { check(s); }), words)) << words;
  }
}

TEST(Settings, WhatOnlySgldUsesDoesNotStopOthers) {
  FitSettings s = settings_for("mh", "default", 1030);
  s.sgld.truncation = "exp(x)";
  s.sgld.probes = 1;
  EXPECT_NO_THROW(check(s));
}

// Each value differs from its default, so that one that is forgotten shows.
FitSettings unusual() {
  return {.kernel = "matern32-ard",
          .priors = {"tau=gamma(2,1)", "lambda=lognormal(0,1)"},
          .standardise = false,
          .sampler = "sgld",
          .preset = "paper",
          .chains = 3,
          .warmup = 11,
          .draws = 12,
          .seed = 9007199254740993U,  // no double
          .backend = "dense-float",
          .product_tolerance = 1e-7,
          .save_warmup = true,
          .sgld = {.probes = 7,
                   .probe_kind = "rademacher",
                   .rank = 13,
                   .q = 0.3,
                   .truncation = "matched",
                   .step_rule = "schedule",
                   .first_step = 0.1 + 0.2,
                   .last_step = 1e-300,
                   .schedule = 14,
                   .noise_ratio = 0.7,
                   .noise_from = "batch",
                   .batch = 15,
                   .redraw_every = 16,
                   .subset = 17,
                   .scale_metric = false,
                   .iterations = 18,
                   .warm_start = "estimate",
                   .y_start = "zero",
                   .longest_drift = 19}};
}

TEST(Settings, ComeBackFromJsonAsTheyWere) {
  const auto json = to_json(unusual());
  const auto defaults = to_json(FitSettings{.sampler = "sgld"});
  const auto again = nlohmann::ordered_json::parse(json.dump());
  EXPECT_EQ(to_json(settings_from_json(again)), json);
  for (const auto& [key, value] : json.items()) {
    if (key == "sgld" || key == "sampler") continue;
    EXPECT_NE(value, defaults.at(key)) << key;
  }
  for (const auto& [key, value] : json.at("sgld").items()) {
    EXPECT_NE(value, defaults.at("sgld").at(key)) << key;
  }
  EXPECT_EQ(settings_from_json(again).sgld.first_step, 0.1 + 0.2);
  EXPECT_EQ(settings_from_json(again).seed, 9007199254740993U);
}

TEST(Settings, OfOtherSamplersLeaveOutSgld) {
  const auto json = to_json(settings_for("nuts", "default", 1030));
  EXPECT_FALSE(json.contains("sgld"));
  EXPECT_EQ(settings_from_json(json).warmup, 300);
}

}  // namespace
}  // namespace ulisse
