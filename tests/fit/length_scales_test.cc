// Length scales in the inputs' own units.

#include "fit/length_scales.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace ulisse {
namespace {

FitRecord fit_of(const std::string& kernel) {
  FitRecord fit;
  fit.settings.model.kernel = kernel;
  fit.data = FitRecord::Data{.features = {"age", "height"}};
  fit.scaling = Standardisation{.x_sd = (Vector(2) << 10, 3).finished()};
  return fit;
}

std::vector<diagnose::ParameterSummary> summaries(int count) {
  std::vector<diagnose::ParameterSummary> all(static_cast<std::size_t>(count));
  for (std::size_t j = 0; j < all.size(); ++j) {
    const double tau = 0.5 * std::pow(4.0, static_cast<double>(j) - 1);
    all[j].q5 = tau / 4;
    all[j].q50 = tau;
    all[j].q95 = 4 * tau;
  }
  return all;
}

// tau = 1/2 is a length scale of one standard deviation for rbf.
TEST(LengthScales, OneTauForAllTakesEachInputsUnit) {
  const auto scales = length_scales(fit_of("rbf"), summaries(3));
  ASSERT_EQ(scales.size(), 2u);
  EXPECT_EQ(scales[0].input, "age");
  EXPECT_DOUBLE_EQ(scales[0].q5, 5);
  EXPECT_DOUBLE_EQ(scales[0].q50, 10);
  EXPECT_DOUBLE_EQ(scales[0].q95, 20);
  EXPECT_DOUBLE_EQ(scales[1].q50, 3);
}

TEST(LengthScales, ATauAnInputAndTheMaternShapes) {
  const auto scales = length_scales(fit_of("matern32-ard"), summaries(4));
  EXPECT_DOUBLE_EQ(scales[0].q50, 10 * std::sqrt(2));
  EXPECT_DOUBLE_EQ(scales[1].q50, 3 * std::sqrt(0.5));
}

TEST(LengthScales, AFitThatHardlyBeganHasNone) {
  EXPECT_TRUE(length_scales(fit_of("rbf"), {}).empty());
  EXPECT_TRUE(length_scales(FitRecord(), summaries(3)).empty());
}

}  // namespace
}  // namespace ulisse
