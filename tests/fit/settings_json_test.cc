// Settings on their way through fit.json.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fit/sampler_kind.h"
#include "fit/samplers/sgld_settings.h"
#include "fit/settings.h"
#include "support/error_message.h"

namespace ulisse {
namespace {

// Each value differs from its default, so that one that is forgotten shows.
FitSettings unusual() {
  return {.model = {.kernel = "matern32-ard",
                    .priors = {"tau=gamma(2,1)", "lambda=lognormal(0,1)"},
                    .fixed = {"sigma=2"},
                    .trend = {"linear"},
                    .trend_scale = 3},
          .standardise = false,
          .sampler = "sgld",
          .preset = "paper",
          .chains = 3,
          .warmup = 11,
          .draws = 12,
          .ess = 13,
          .max_draws = 14,
          .seed = 9007199254740993U,  // no double
          .backend = "dense-float",
          .product_tolerance = 1e-7,
          .save_warmup = true,
          .own = values_of(sgld_settings(), SgldSettings{.probe_count = 7,
                                                         .probe_kind = "rademacher",
                                                         .rank = 13,
                                                         .early_stop = 0.3,
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
                                                         .longest_drift = 19})};
}

TEST(Settings, ComeBackFromJsonAsTheyWere) {
  const auto json = to_json(unusual());
  const auto defaults = to_json(settings_for("sgld", "default", 65000));
  const auto again = nlohmann::ordered_json::parse(json.dump());
  EXPECT_EQ(to_json(settings_from_json(again)), json);
  for (const auto& [key, value] : json.items()) {
    if (key == "sgld" || key == "sampler" || !defaults.contains(key)) continue;
    EXPECT_NE(value, defaults.at(key)) << key;
  }
  for (const auto& [key, value] : json.at("sgld").items()) {
    EXPECT_NE(value, defaults.at("sgld").at(key)) << key;
  }
  const FitSettings back = settings_from_json(again);
  EXPECT_EQ(settings_from(sgld_settings(), back.own).first_step, 0.1 + 0.2);
  EXPECT_EQ(back.seed, 9007199254740993U);
}

TEST(Settings, OfOtherSamplersLeaveOutSgld) {
  const auto json = to_json(settings_for("nuts", "default", 1030));
  EXPECT_FALSE(json.contains("sgld"));
  EXPECT_EQ(settings_from_json(json).warmup, 300);
}

}  // namespace
}  // namespace ulisse
