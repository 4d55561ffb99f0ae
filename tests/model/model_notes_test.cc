// Terms and factors that the data cannot tell apart are said.

#include "model/model_notes.h"

#include <gtest/gtest.h>

#include "support/error_message.h"
#include "support/random_kernels.h"

namespace ulisse {
namespace {

using testing::contains;

std::vector<std::string> notes_of(const std::string& kernel,
                                  const std::vector<std::string>& priors = {},
                                  const std::vector<std::string>& fixed = {}) {
  const Dataset table = testing::mixed_table(4, 1);
  const ModelOptions options{.kernel = kernel, .priors = priors, .fixed = fixed};
  return notes_on(make_model(options, table), table, true);
}

TEST(ModelNotes, TermsThatDifferAreNotSpokenOf) {
  for (const char* kernel :
       {"rbf", "rbf-ard", "rbf(east) + rbf(north)", "rbf(east) + matern32(east)",
        "rbf(east,north) + rbf-ard(east,north)", "rbf(day) + periodic(day,0.7)*rbf(day)",
        "periodic(day,0.7) + periodic(day,0.5)", "matern12(east)*matern12(north)",
        "rbf(east)*rbf(east,north)", "matern12(east)*matern32(east)",
        "matern32-ard(east,north)*matern32(east,north)", "rbf(site)*rbf(east) + rbf(east)"}) {
    EXPECT_EQ(notes_of(kernel), std::vector<std::string>{}) << kernel;
  }
}

TEST(ModelNotes, TermsThatAreTheSameFunctionAre) {
  for (const char* kernel :
       {"rbf(east) + rbf(east)", "rbf + rbf", "rbf(east) + rbf-ard(east)",
        "matern32(east,north) + matern32(north,east)",
        "rbf(east)*matern12(day) + matern12(day)*rbf(east)",
        "rbf(east)*rbf(north) + rbf-ard(north,east)", "rbf(site) + matern12(site)",
        "rbf(east)*matern12(site) + rbf-ard(east,site)"}) {
    const auto notes = notes_of(kernel);
    ASSERT_EQ(notes.size(), 1U) << kernel;
    EXPECT_TRUE(contains(notes[0], "terms 1 and 2 of the kernel")) << notes[0];
    EXPECT_TRUE(contains(notes[0], "neither the data nor the priors")) << notes[0];
    EXPECT_TRUE(contains(notes[0], "only their sum is known")) << notes[0];
  }
  EXPECT_EQ(notes_of("rbf(east) + rbf(east) + rbf(east)").size(), 3U);
}

TEST(ModelNotes, PriorsMayTellThemApart) {
  const auto notes = notes_of("rbf(east) + rbf(east)", {"tau.1=lognormal(0,1)"});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(contains(notes[0], "their priors alone tell them apart")) << notes[0];
  EXPECT_EQ(notes_of("rbf(east) + rbf(east)", {"tau=lognormal(0,1)"}),
            notes_of("rbf(east) + rbf(east)"));
}

TEST(ModelNotes, AParameterThatIsFixedTellsThemApart) {
  EXPECT_TRUE(notes_of("rbf(east) + rbf(east)", {}, {"tau.2=0.1"}).empty());
  EXPECT_TRUE(notes_of("rbf(east)*rbf(east)", {}, {"tau.rbf_east=0.1"}).empty());
  EXPECT_TRUE(notes_of("matern12(east)*matern12(east)", {}, {"tau.matern12_east=0.1"}).empty());
}

TEST(ModelNotes, OfAProductOfRbfOnTheSameInputsSumsAreKnown) {
  EXPECT_EQ(notes_of("rbf(east)*rbf(east)"),
            (std::vector<std::string>{
                "of tau.rbf_east and tau.rbf_east_2 the data know sums alone, since "
                "a product of rbf on the same inputs is one rbf; leave a "
                "factor out, or fix its tau"}));
  const auto notes = notes_of("rbf(day)*rbf-ard(east,north)*rbf(east,north) + rbf(east)");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(contains(notes[0], "of tau.1.east and tau.1.north and tau.1.east_north")) << notes[0];
}

TEST(ModelNotes, FactorsThatAreTheSameFunctionAreSpokenOf) {
  for (const char* kernel :
       {"matern12(east)*matern12(east)", "matern52-ard*matern52-ard", "matern12(site)*rbf(site)"}) {
    const auto notes = notes_of(kernel);
    ASSERT_EQ(notes.size(), 1U) << kernel;
    EXPECT_TRUE(contains(notes[0], "the data cannot tell apart")) << notes[0];
  }
}

TEST(ModelNotes, APriorOfAParameterThatIsFixedIsSaidToDoNothing) {
  EXPECT_EQ(
      notes_of("rbf", {"lambda=gamma(1,1)"}, {"noise_sd=0.1"}),
      (std::vector<std::string>{"priors: the prior of lambda does nothing, since that is fixed"}));
  EXPECT_EQ(notes_of("rbf-ard", {"lengthscale.day=gamma(1,1)"}, {"tau.day=2"}).size(), 1U);
  EXPECT_TRUE(notes_of("rbf-ard", {"tau=gamma(1,1)"}, {"tau.day=2"}).empty());
  EXPECT_TRUE(notes_of("rbf", {"tau=gamma(1,1)"}, {"lambda=0"}).empty());
}

std::vector<std::string> notes_of_trend(const std::vector<std::string>& trend, double scale,
                                        bool standardised) {
  Dataset table = testing::mixed_table(40, 1);
  table.x.col(2).array() += 2000;
  table.y = 3 * table.x.col(2);
  const Model model =
      make_model(ModelOptions{.kernel = "rbf", .trend = trend, .trend_scale = scale}, table);
  return notes_on(model, table, standardised);
}

TEST(ModelNotes, ATrendBeyondItsPriorIsSaidToBeWhereNothingIsStandardised) {
  const auto notes = notes_of_trend({"constant"}, 10, false);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(contains(notes[0], "least squares has 6e+03 for the intercept")) << notes[0];
  EXPECT_TRUE(contains(notes[0], "100000 says hardly anything")) << notes[0];
  EXPECT_TRUE(notes_of_trend({"constant"}, 1e4, false).empty());
  EXPECT_TRUE(notes_of_trend({"constant"}, 10, true).empty());
  const auto slope = notes_of_trend({"day"}, 1, false);
  ASSERT_EQ(slope.size(), 1U);
  EXPECT_TRUE(contains(slope[0], "has 3 for the slope in day")) << slope[0];
}

TEST(ModelNotes, AScaleWithoutATrendIsSaidToDoNothing) {
  const auto notes = notes_of_trend({}, 3, true);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_TRUE(contains(notes[0], "trend_scale does nothing without")) << notes[0];
  EXPECT_TRUE(notes_of_trend({}, 10, true).empty());
}

}  // namespace
}  // namespace ulisse
