// Settings out of their ranges, whoever sets them.

#include "fit/settings_limits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using Spoil = std::function<void(FitSettings&)>;

void expect_refused(const std::string& sampler,
                    const std::vector<std::pair<Spoil, std::string>>& cases) {
  for (const auto& [spoil, words] : cases) {
    FitSettings s = settings_for(sampler, "default", 1030);
    spoil(s);
    EXPECT_EQ(message_of([&] { check(s); }), words);
  }
}

TEST(SettingsLimits, OfAnySampler) {
  expect_refused(
      "mh",
      {{[](FitSettings& s) { s.chains = 0; }, "--chains must be at least 1"},
       {[](FitSettings& s) { s.chains = 1001; }, "--chains must be at most 1000"},
       {[](FitSettings& s) { s.warmup = -3; }, "--warmup must be at least 0"},
       {[](FitSettings& s) { s.draws = 0; }, "--draws must be at least 1"},
       {[](FitSettings& s) { s.draws = 2'000'000'000; }, "--draws must be at most 1000000000"},
       {[](FitSettings& s) { s.product_tolerance = NAN; },
        "--product-tolerance must be 0 or more, and below 1"},
       {[](FitSettings& s) { s.backend = "foo"; },
        "--backend: 'foo' is none of auto, reference, dense, dense-float, cached, kdtree, "
        "anchors"}});
}

TEST(SettingsLimits, OfSgld) {
  expect_refused(
      "sgld",
      {{[](FitSettings& s) { s.sgld.probes = 0; }, "--probe-count must be at least 1"},
       {[](FitSettings& s) { s.sgld.probes = 1'000'000; }, "--probe-count must be at most 10000"},
       {[](FitSettings& s) { s.sgld.rank = -5; }, "--rank must be at least 0"},
       {[](FitSettings& s) { s.sgld.q = NAN; }, "--q must be a positive number, and is nan"},
       {[](FitSettings& s) { s.sgld.first_step = 1e9; }, "--first-step must be at most 100"},
       {[](FitSettings& s) { s.sgld.last_step = -1; },
        "--last-step must be a positive number, and is -1"},
       {[](FitSettings& s) { s.sgld.batch = 9'000'000'000'000'000; },
        "--batch must be at most 1000000"},
       {[](FitSettings& s) { s.sgld.batch = 1; }, "--batch must be at least 2"},
       {[](FitSettings& s) { s.sgld.redraw_every = 0; }, "--redraw-every must be at least 1"},
       {[](FitSettings& s) { s.sgld.subset = 0; }, "--subset must be at least 1"},
       {[](FitSettings& s) { s.sgld.longest_drift = -3; },
        "--longest-drift must be a positive number, and is -3"}});
}

TEST(SettingsLimits, OfUlisse) {
  expect_refused(
      "ulisse",
      {{[](FitSettings& s) { s.ulisse.bank = 1'000'000'000; }, "--bank must be at most 10000"},
       {[](FitSettings& s) { s.ulisse.rank = 0; }, "--rank must be at least 1"},
       {[](FitSettings& s) { s.ulisse.q = INFINITY; }, "--q must be a positive number, and is inf"},
       {[](FitSettings& s) { s.ulisse.step = 4; }, "--step must be below 4"},
       {[](FitSettings& s) { s.ulisse.trace_error = 0; },
        "--trace-error must be a positive number, and is 0"},
       {[](FitSettings& s) { s.ulisse.trace_probes = -1; }, "--trace-probes must be at least 0"}});
}

// What another sampler would use does not stop this one.
TEST(SettingsLimits, OfOtherSamplersAreNotLookedAt) {
  FitSettings s = settings_for("mh", "default", 1030);
  s.sgld.batch = -1;
  s.ulisse.bank = -1;
  EXPECT_NO_THROW(check(s));
}

TEST(SettingsLimits, BlocksMustFitInMemory) {
  FitSettings s = settings_for("ulisse", "default", 1030);
  EXPECT_NO_THROW(check_sizes(s, 1030));
  s.ulisse.bank = 100'000;
  const std::string message = message_of([&] { check_sizes(s, 100'000'000); });
  EXPECT_TRUE(contains(message, "--bank 100000 and --rank 206 with 100000000 rows needs"))
      << message;
  s = settings_for("sgld", "default", 1030);
  s.sgld.probes = 10'000;
  EXPECT_TRUE(contains(message_of([&] { check_sizes(s, 100'000'000); }), "--probe-count 10000"));
}

}  // namespace
}  // namespace ulisse
