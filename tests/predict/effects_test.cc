// Shares of variance of functions for which they are known, and effects of fits.

#include "ulisse/effects.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "predict/shares_of_variance.h"
#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

// Ishigami and Homma (1990), a = 7, b = 0.1; the indices are in closed form. The tolerance is five
// standard errors of 40,000 points, some 1/200 each.
TEST(SharesOfVariance, AreThoseOfIshigamisFunction) {
  constexpr Index kRows = 20000;
  Rng rng = stream(3, 0, Purpose::simulation, 0);
  Matrix table(kRows, 3);
  for (double& value : table.reshaped()) value = std::numbers::pi * (2 * rng.uniform() - 1);
  const Indices inputs = {0, 1, 2};
  const SobolPoints points(table, inputs, 40000, rng);
  const SharesOfVariance found = shares_of_variance(
      [](const Matrix& x) {
        return Vector(x.col(0).array().sin() + 7 * x.col(1).array().sin().square() +
                      0.1 * x.col(2).array().pow(4) * x.col(0).array().sin());
      },
      points, inputs);
  const double v1 = 0.5 * std::pow(1 + 0.1 * std::pow(std::numbers::pi, 4) / 5, 2);
  const double v2 = 49.0 / 8, v13 = 0.01 * std::pow(std::numbers::pi, 8) * (1.0 / 18 - 1.0 / 50);
  const double v = v1 + v2 + v13;
  EXPECT_NEAR(found.first_order(0), v1 / v, 0.025);
  EXPECT_NEAR(found.first_order(1), v2 / v, 0.025);
  EXPECT_NEAR(found.first_order(2), 0, 0.025);
  EXPECT_NEAR(found.total(0), (v1 + v13) / v, 0.025);
  EXPECT_NEAR(found.total(1), v2 / v, 0.025);
  EXPECT_NEAR(found.total(2), v13 / v, 0.025);
  EXPECT_NEAR(found.pairs(0, 2), v13 / v, 0.04);
  EXPECT_NEAR(found.pairs(0, 1), 0, 0.04);
  EXPECT_NEAR(found.pairs(1, 2), 0, 0.04);
}

TEST(SharesOfVariance, AConstantHasNone) {
  Rng rng = stream(3, 0, Purpose::simulation, 0);
  const SobolPoints points(normal_matrix(50, 2, 1), {0, 1}, 100, rng);
  const SharesOfVariance found = shares_of_variance(
      [](const Matrix& x) { return Vector(Vector::Constant(x.rows(), 3)); }, points, {0, 1});
  EXPECT_EQ(found.first_order, Vector::Zero(2));
  EXPECT_EQ(found.total, Vector::Zero(2));
}

// y = 10 + 3 a + sin(2 b) and a category that does nothing.
Effects effects_of_a_sum() {
  Dataset data{.x = normal_matrix(80, 3, 1),
               .y = Vector(80),
               .features = {"a", "b", "g"},
               .target = "y",
               .levels = {{}, {}, {"u", "v"}}};
  data.x.col(0).array() += 5;
  for (Index i = 0; i < 80; ++i) data.x(i, 2) = static_cast<double>(i % 2);
  data.y = 10 + 3 * data.x.col(0).array() + (2 * data.x.col(1).array()).sin() +
           0.1 * normal_matrix(80, 1, 2).col(0).array();
  const Fit made =
      fit(data, make_model("rbf-ard", data),
          {.sampler = "nuts", .settings = {{"draws", 60L}, {"warmup", 100L}, {"chains", 2L}}});
  return effects(made, {.draws = 20, .points = 9, .rows = 40, .base = 2000});
}

TEST(Effects, OfASumAreItsTerms) {
  const Effects found = effects_of_a_sum();
  ASSERT_EQ(found.inputs.size(), 3U);
  const Effect &a = found.inputs[0], &b = found.inputs[1], &g = found.inputs[2];
  ASSERT_EQ(a.at.size(), 9);
  ASSERT_EQ(g.at.size(), 2);
  EXPECT_GT(a.at(0), 1.5);  // in the units of the table
  // Differences along a and b, where data are.
  for (const Vector& values : {a.mean, a.averaged}) {
    EXPECT_NEAR((values(6) - values(2)) / (a.at(6) - a.at(2)), 3, 0.3);
  }
  for (const Vector& values : {b.mean, b.averaged}) {
    EXPECT_NEAR(values(5) - values(3), std::sin(2 * b.at(5)) - std::sin(2 * b.at(3)), 0.3);
  }
  EXPECT_LT(std::abs(g.averaged(1) - g.averaged(0)), 0.3);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_LT(a.lower(i), a.mean(i));
    EXPECT_LT(a.mean(i), a.upper(i));
    EXPECT_LE(a.averaged_lower(i), a.averaged_upper(i));
  }
  // Var(3 a) = 9 and Var(sin(2 b)) = (1 - e^-8) / 2, of standard normal a and b; 80 of them.
  EXPECT_NEAR(a.first_order.median, 9 / 9.5, 0.08);
  EXPECT_NEAR(a.total.median, 9 / 9.5, 0.08);
  EXPECT_NEAR(b.first_order.median, 0.5 / 9.5, 0.08);
  EXPECT_LT(g.total.median, 0.01);
  ASSERT_EQ(found.pairs.size(), 3U);
  EXPECT_LT(found.pairs[0].share.median, 0.08);
}

}  // namespace
}  // namespace ulisse
