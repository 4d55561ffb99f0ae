// What every sampler of the registry does, one from outside src/ among them.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_reader.h"
#include "base/option_names.h"
#include "fit/own_sampler.h"
#include "fit/run_fit.h"
#include "fit/summary.h"
#include "support/error_message.h"
#include "support/random_points.h"
#include "support/stop_at_draws.h"
#include "support/temporary_folder.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using testing::normal_matrix;
using testing::TemporaryFolder;

constexpr Index kTableRows = 60;
constexpr long kDrawsOfAChain = 60;

Dataset signal_table() {
  Dataset data;
  data.x = normal_matrix(kTableRows, 2, 1);
  data.y = (1.5 * data.x.col(0).array()).sin() + 0.3 * normal_matrix(kTableRows, 1, 2).array();
  data.features = {"a", "b"};
  data.target = "y";
  return data;
}

constexpr long kNever = 1'000'000;

// Runs until so many draws are there, from the beginning or from where the folder's fit is.
FitEnd run_until(long draws, const FitSettings& settings, const std::string& folder, bool resume) {
  const FitRequest request{.settings = settings,
                           .sampler_reason = {},
                           .model = make_model(parse_kernel(settings.model.kernel), 2),
                           .raw = signal_table(),
                           .out = folder,
                           .resume = resume};
  testing::StopAtDraws observer(draws);
  return run_fit(request, observer);
}

Matrix draws_of(const std::string& folder, int chain) {
  return read_chain(FitFolder(folder).chain_file(chain)).theta;
}

std::vector<std::string> names_of_samplers() {
  std::vector<std::string> names;
  for (const SamplerKind& kind : sampler_kinds()) names.push_back(kind.name);
  return names;
}

class Samplers : public TemporaryFolder, public ::testing::WithParamInterface<std::string> {
 protected:
  const SamplerKind& kind() const { return sampler_kind(GetParam()); }
  FitSettings defaults() const { return settings_for(GetParam(), "default", kTableRows); }
  FitSettings short_run() const {
    FitSettings settings = defaults();
    settings.chains = 2;
    settings.warmup = 40;
    settings.draws = kDrawsOfAChain;
    return settings;
  }
  std::string folder(const std::string& name) const { return (path() / name).string(); }
};

TEST_P(Samplers, TheDefaultsOfEachPresetPassTheCheck) {
  for (const std::string& preset : kind().presets) {
    for (const Index n : {2, 60, 1030, 22784}) {
      EXPECT_NO_THROW(check(settings_for(GetParam(), preset, n))) << preset << ", " << n;
    }
  }
}

TEST_P(Samplers, OptionsAreTheSameAfterAWayThroughJson) {
  const FitSettings settings = defaults();
  for (const Option& option : kind().options) {
    ASSERT_EQ(settings.own.count(option.key), 1U) << option.key;
  }
  const FitSettings back = settings_from_json(to_json(settings));
  EXPECT_EQ(back.own, settings.own);
  EXPECT_EQ(to_json(back), to_json(settings));
}

TEST_P(Samplers, ValuesOutOfRangeAreRefusedByTheNameOfTheOption) {
  for (const Option& option : kind().options) {
    const OptionRange& range = option.range;
    OptionValues wrong;
    if (!option.choices.empty()) wrong[option.key] = "no such choice";
    if (std::holds_alternative<long>(option.initial)) {
      wrong[option.key] = static_cast<long>(range.least) - 1;
    } else if (std::holds_alternative<double>(option.initial)) {
      wrong[option.key] = range.least - 1;
    }
    if (wrong.empty()) continue;
    FitSettings settings = defaults();
    const std::string refusal = message_of([&] {
      set_options(wrong, settings);
      check(settings);
    });
    EXPECT_TRUE(refusal.starts_with(option_named(option.key))) << refusal;
  }
}

TEST_P(Samplers, AnOptionThatItDoesNotHaveIsRefused) {
  FitSettings settings = defaults();
  const std::string refusal = message_of([&] { set_options({{"no_such_option", 1L}}, settings); });
  EXPECT_TRUE(contains(refusal, "no_such_option") || contains(refusal, "no-such-option"))
      << refusal;
}

TEST_P(Samplers, AFitIsSummarisedWithAllItsParameters) {
  ASSERT_EQ(run_until(kNever, short_run(), folder("fit"), false), FitEnd::complete);
  const FitSummary summary = full_summary(load_fit(folder("fit")));
  EXPECT_EQ(summary.sampler, GetParam());
  EXPECT_EQ(summary.draws, kDrawsOfAChain);
  std::vector<std::string> names;
  for (const auto& parameter : summary.parameters) {
    names.push_back(parameter.name);
    EXPECT_TRUE(std::isfinite(parameter.mean) && parameter.sd > 0) << parameter.name;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"sigma", "tau", "lambda"}));
}

TEST_P(Samplers, AFitThatWasStoppedHasTheSameDrawsAsOneThatWasNot) {
  const FitSettings settings = short_run();
  ASSERT_EQ(run_until(kNever, settings, folder("whole"), false), FitEnd::complete);
  ASSERT_EQ(run_until(0, settings, folder("stopped"), false), FitEnd::interrupted);
  ASSERT_EQ(run_until(1, settings, folder("stopped"), true), FitEnd::interrupted);
  ASSERT_EQ(run_until(kNever, settings, folder("stopped"), true), FitEnd::complete);
  for (int chain = 0; chain < 2; ++chain) {
    const Matrix whole = draws_of(folder("whole"), chain);
    EXPECT_EQ(whole.rows(), kDrawsOfAChain);
    EXPECT_EQ(whole, draws_of(folder("stopped"), chain));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Samplers, ::testing::ValuesIn(names_of_samplers()),
                         [](const auto& sampler) { return sampler.param; });

class OwnSampler : public TemporaryFolder {};

// The same random numbers, three times as far from the mode.
TEST_F(OwnSampler, ItsOptionDecidesWhatItDraws) {
  FitSettings settings = settings_for("gaussian", "default", kTableRows);
  std::vector<double> sd;
  for (const double widening : {1.0, 3.0}) {
    set_options({{"widening", widening}}, settings);
    const std::string out = path() / std::to_string(widening);
    std::filesystem::create_directories(path());
    ASSERT_EQ(run_until(kNever, settings, out, false), FitEnd::complete);
    sd.push_back(full_summary(load_fit(out)).log_parameters[0].sd);
  }
  EXPECT_NEAR(sd[1] / sd[0], 3, 1e-6);
}

TEST_F(OwnSampler, IsNotRegisteredTwiceNorUnderANameThatIsTaken) {
  SamplerKind kind = testing::gaussian_kind();
  for (const std::string name : {"gaussian", "nuts", "auto"}) {
    kind.name = name;
    EXPECT_THROW(register_sampler(kind), std::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace ulisse
