// Presets and checks of settings.

#include "fit/settings.h"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/memory.h"
#include "fit/sampler_kind.h"
#include "fit/samplers/sgld_settings.h"
#include "support/error_message.h"
#include "ulisse/fit.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

SgldSettings sgld_of(const FitSettings& s) { return settings_from(sgld_settings(), s.own); }

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
  const SgldSettings own = sgld_of(s);
  EXPECT_EQ(s.chains, 4);
  EXPECT_EQ(s.warmup, 500);
  EXPECT_EQ(s.draws, 5000);
  EXPECT_EQ(own.probe_count, 4);
  EXPECT_EQ(own.probe_kind, "preconditioned");
  EXPECT_EQ(own.early_stop, 0.1);
  EXPECT_EQ(own.truncation, "exp(1)");
  EXPECT_EQ(own.step_rule, "noise");
  EXPECT_EQ(own.first_step, 0.1);
  EXPECT_EQ(own.noise_ratio, 0.02);
  EXPECT_EQ(own.noise_from, "probes");
  EXPECT_EQ(own.batch, 100);
  EXPECT_EQ(own.redraw_every, 1);
  EXPECT_EQ(own.subset, 1000);
  EXPECT_TRUE(own.scale_metric);
  EXPECT_EQ(own.iterations, 0);
}

// A fifth of the rows, at most 1000, and at most a gigabyte for two matrices of n rows.
TEST(Settings, RankGrowsWithTheRowsAndStaysWithinMemory) {
  const auto rank = [](Index n) { return sgld_of(settings_for("sgld", "default", n)).rank; };
  EXPECT_EQ(rank(2), 1);
  EXPECT_EQ(rank(1030), 206);
  EXPECT_EQ(rank(22784), 1000);
  EXPECT_GE(rank(1000000), 62);  // an eighth of the memory, or a gigabyte
  EXPECT_LE(16e6 * static_cast<double>(rank(1000000)),
            std::max(1e9, static_cast<double>(machine_memory_bytes()) / 8));
}

TEST(Settings, ThePaperOnConcrete) {
  const FitSettings s = settings_for("sgld", "paper", 1030);
  const SgldSettings own = sgld_of(s);
  EXPECT_EQ(s.chains, 10);
  EXPECT_EQ(s.warmup, 30000);
  EXPECT_EQ(s.draws, 0);
  EXPECT_EQ(own.iterations, 40000);
  EXPECT_EQ(own.probe_count, 4);
  EXPECT_EQ(own.probe_kind, "rademacher");
  EXPECT_EQ(own.rank, 0);
  EXPECT_EQ(own.early_stop, 1);
  EXPECT_EQ(own.truncation, "exp(1)");
  EXPECT_EQ(own.step_rule, "schedule");
  EXPECT_EQ(own.first_step, 1e-1);
  EXPECT_EQ(own.last_step, 1e-4);
  EXPECT_EQ(own.schedule, 40000);
  EXPECT_EQ(own.noise_ratio, 0.002);
  EXPECT_EQ(own.noise_from, "batch");
  EXPECT_EQ(own.batch, 100);
  EXPECT_EQ(own.redraw_every, 20);
  EXPECT_EQ(own.subset, 500);
  EXPECT_FALSE(own.scale_metric);
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
  const std::vector<std::string> length = {"lengthscale=gamma(2,1)"};
  EXPECT_EQ(
      priors_of("paper", length),
      (std::vector<std::string>{"sigma=gamma(1,0.1)", "lambda=gamma(1,0.1)", length.front()}));
}

TEST(Settings, ThePaperOnCensus) {
  const FitSettings s = settings_for("sgld", "paper", 22784);
  const SgldSettings own = sgld_of(s);
  EXPECT_EQ(s.chains, 5);
  EXPECT_EQ(own.first_step, 5e-2);
  EXPECT_EQ(own.last_step, 5e-6);
  EXPECT_EQ(own.subset, 1000);
}

TEST(Settings, ThePaperHasMetropolisHastingsButNotNuts) {
  const FitSettings s = settings_for("mh", "paper", 1030);
  EXPECT_EQ(s.chains, 1);
  EXPECT_EQ(s.warmup, 10000);
  EXPECT_EQ(s.draws, 40000);
  EXPECT_EQ(message_of([] { settings_for("nuts", "paper", 1030); }),
            "preset = \"paper\": sgld and mh have it, not nuts");
}

TEST(Settings, UnknownNamesAreRefusedWithTheKnownOnes) {
  // Behind nuts there are these tests' own.
  const std::string refused = message_of([] { settings_for("gibbs", "default", 10); });
  EXPECT_TRUE(refused.starts_with("sampler: 'gibbs' is none of ulisse, sgld, mh, nuts, "));
  EXPECT_TRUE(refused.ends_with(", auto")) << refused;
  EXPECT_EQ(message_of([] { settings_for("mh", "quick", 10); }),
            "preset: 'quick' is none of default, paper");
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

// Whoever sets an option: the command line, a configuration, Python.
void expect_refused(const std::string& sampler,
                    const std::vector<std::pair<OptionValues, std::string>>& cases) {
  for (const auto& [given, words] : cases) {
    FitSettings s = settings_for(sampler, "default", 1030);
    const std::string message = message_of([&] {
      set_options(given, s);
      check(s);
    });
    EXPECT_EQ(message, words);
  }
}

TEST(Settings, OutOfRangeOfAnySampler) {
  expect_refused("mh", {{{{"chains", 0L}}, "chains must be at least 1"},
                        {{{"chains", 1001L}}, "chains must be at most 1000"},
                        {{{"warmup", -3L}}, "warmup must be at least 0"},
                        {{{"draws", 0L}}, "draws must be at least 1"},
                        {{{"draws", 2'000'000'000L}}, "draws must be at most 1000000000"},
                        {{{"draws", "many"}}, "draws must be a whole number, and is many"},
                        {{{"product_tolerance", 1.0}}, "product_tolerance must be below 1"},
                        {{{"product_tolerance", NAN}},
                         "product_tolerance must be a finite number, and is nan"},
                        {{{"backend", "foo"}},
                         "backend: 'foo' is none of auto, reference, dense, dense-float, cached, "
                         "kdtree, anchors, opencl, opencl-float"}});
}

TEST(Settings, OutOfRangeOfSgld) {
  expect_refused(
      "sgld",
      {{{{"probe_count", 0L}}, "probe_count must be at least 1"},
       {{{"probe_count", 1'000'000L}}, "probe_count must be at most 10000"},
       {{{"rank", -5L}}, "rank must be at least 0"},
       {{{"early_stop", NAN}}, "early_stop must be a positive number, and is nan"},
       {{{"first_step", 1e9}}, "first_step must be at most 100"},
       {{{"last_step", -1.0}}, "last_step must be a positive number, and is -1"},
       {{{"batch", 1L}}, "batch must be at least 2"},
       {{{"probe_kind", "gauss"}}, "probe_kind: 'gauss' is none of rademacher, preconditioned"},
       {{{"step_rule", "fast"}}, "step_rule: 'fast' is none of schedule, noise"},
       {{{"rank", 0L}}, "probe_kind = \"preconditioned\" wants a preconditioner: rank above 0"},
       {{{"probe_count", 1L}}, "noise_from = \"probes\" wants two probes or more"},
       {{{"last_step", 1L}}, "last_step must not be larger than first_step"}});
}

TEST(Settings, OutOfRangeOfUlisse) {
  expect_refused(
      "ulisse",
      {{{{"anchor_probes", 1'000'000'000L}}, "anchor_probes must be at most 10000"},
       {{{"rank", 0L}}, "rank must be at least 1"},
       {{{"early_stop", INFINITY}}, "early_stop must be a positive number, and is inf"},
       {{{"step", 4.0}}, "step must be below 4"},
       {{{"mode_gradient_error", 0.0}}, "mode_gradient_error must be a positive number, and is 0"},
       {{{"mode_gradient_probes", -1L}}, "mode_gradient_probes must be at least 0"},
       {{{"probe_count", 200L}},
        "probe_count: a gradient takes at most the 128 of anchor_probes"}});
}

TEST(Settings, ZeroStandsForWhatIsFoundOut) {
  FitSettings s = settings_for("ulisse", "default", 1030);
  EXPECT_NO_THROW(set_options({{"step", 0.0}, {"early_stop", 0.0}}, s));
}

TEST(Settings, AnOptionOfAnotherSamplerIsRefusedWithItsOwners) {
  FitSettings s = settings_for("mh", "default", 1030);
  EXPECT_EQ(message_of([&] {
              set_options({{"anchor_probes", 64L}}, s);
            }),
            "anchor_probes is for the sampler ulisse, not for mh");
  EXPECT_EQ(message_of([&] {
              set_options({{"rank", 64L}}, s);
            }),
            "rank is for the sampler ulisse or sgld, not for mh");
  EXPECT_EQ(message_of([&] { set_options({{"gibbs", 64L}}, s); }), "there is no setting gibbs");
}

TEST(Settings, OlderNamesOfOptionsGoOnWorking) {
  FitSettings s = settings_for("ulisse", "default", 1030);
  set_options({{"bank", 64L}, {"q", 0.5}}, s);
  EXPECT_EQ(std::get<long>(s.own.at("anchor_probes")), 64);
  EXPECT_EQ(std::get<double>(s.own.at("early_stop")), 0.5);
}

// The paper's preset is a number of iterations, and draws are what is left of them.
TEST(Settings, DrawsThatAreAskedForReplaceThePresetsIterations) {
  FitSettings s = settings_for("sgld", "paper", 1030);
  set_options({{"draws", 7L}}, s);
  EXPECT_EQ(s.draws, 7);
  EXPECT_EQ(sgld_of(s).iterations, 0);
}

TEST(Settings, BlocksMustFitInMemory) {
  FitSettings s = settings_for("ulisse", "default", 1030);
  EXPECT_NO_THROW(check_sizes(s, 1030));
  s.own["anchor_probes"] = 100'000L;
  const std::string message = message_of([&] { check_sizes(s, 100'000'000); });
  EXPECT_TRUE(contains(message, "anchor_probes = 100000 and rank = 206 with 100000000 rows needs"))
      << message;
  s = settings_for("sgld", "default", 1030);
  s.own["probe_count"] = 10'000L;
  EXPECT_TRUE(contains(message_of([&] { check_sizes(s, 100'000'000); }), "probe_count = 10000"));
}

}  // namespace
}  // namespace ulisse
