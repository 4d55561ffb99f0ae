// What a model says in the units of the table, against the formulas.

#include "model/quantities.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ulisse {
namespace {

Dataset columns(const std::vector<std::string>& names) {
  return {.x = Matrix(0, static_cast<Index>(names.size())), .features = names, .target = "y"};
}

Standardisation scaling() {
  return {.x_mean = (Vector(3) << 5, -2, 100).finished(),
          .x_sd = (Vector(3) << 10, 3, 0.5).finished(),
          .y_mean = 7,
          .y_sd = 4};
}

Quantities quantities_of(const ModelOptions& options, const std::vector<std::string>& names) {
  const Dataset data = columns(names);
  return {scaled(make_model(options, data), scaling()), scaling(), names};
}

using Names = std::vector<std::string>;

// As readers of chain files take arrays.
TEST(Quantities, OfAKernelOnAllInputsCountsItsLengthScales) {
  const auto q = quantities_of({.kernel = "rbf"}, {"age", "height", "day"});
  EXPECT_EQ(q.names(),
            (Names{"signal_sd", "noise_sd", "lengthscale.1", "lengthscale.2", "lengthscale.3"}));
  const Vector psi = (Vector(3) << std::log(2.0), std::log(0.5), std::log(0.09)).finished();
  const Vector values = q.at(psi, Vector());
  EXPECT_DOUBLE_EQ(values(0), 4 * std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(values(1), 4 * 0.3);
  EXPECT_DOUBLE_EQ(values(2), 10);  // tau = 1/2 is one standard deviation for rbf
  EXPECT_DOUBLE_EQ(values(3), 3);
  EXPECT_DOUBLE_EQ(values(4), 0.5);
}

TEST(Quantities, OfAnExpressionHaveTheNamesOfTermsAndInputs) {
  const auto q = quantities_of({.kernel = "matern32(age,height) + periodic(day,7)*rbf(day)"},
                               {"age", "height", "day"});
  EXPECT_EQ(q.names(),
            (Names{"signal_sd", "signal_sd.1", "signal_sd.2", "noise_sd", "lengthscale.1.age",
                   "lengthscale.1.height", "lengthscale.2.rbf_day"}));
  // sigma.1, tau.1, sigma.2, tau of the circle, tau of the rbf, lambda
  const Vector psi = (Vector(6) << 3, 1, 6, 9, 0.125, 0.01).finished().array().log();
  const Vector values = q.at(psi, Vector());
  EXPECT_DOUBLE_EQ(values(0), 4 * 3);
  EXPECT_DOUBLE_EQ(values(1), 4 * std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(values(2), 4 * std::sqrt(6.0));
  EXPECT_DOUBLE_EQ(values(4), 10);  // of matern32 at tau = 1
  EXPECT_DOUBLE_EQ(values(6), 2 * 0.5);
}

TEST(Quantities, HaveNamesThatNoOtherHas) {
  const auto q =
      quantities_of({.kernel = "rbf(\"a-b\")*matern12(\"a-b\")*rbf(a_b)", .trend = {"linear"}},
                    {"a-b", "a_b", "intercept"});
  EXPECT_EQ(q.names(),
            (Names{"signal_sd", "noise_sd", "lengthscale.rbf_a_b", "lengthscale.matern12_a_b",
                   "lengthscale.rbf_a_b_2", "trend.intercept", "trend.a_b", "trend.input_a_b",
                   "trend.input_intercept"}));
}

// y = y_mean + y_sd (b_0 + b_1 z_1 + ...) at any x.
TEST(Quantities, TheTrendIsTheSameFunctionInBothUnits) {
  const auto q =
      quantities_of({.kernel = "rbf", .trend = {"day", "age"}}, {"age", "height", "day"});
  const Vector psi = Vector::Zero(3), b = (Vector(3) << 0.3, -1.5, 2).finished();
  const Vector trend = q.at(psi, b).tail(3);
  const Standardisation s = scaling();
  for (const double age : {0.0, 31.0}) {
    for (const double day : {0.0, 99.0}) {
      const double scaled =
          b(0) + b(1) * (day - s.x_mean(2)) / s.x_sd(2) + b(2) * (age - s.x_mean(0)) / s.x_sd(0);
      EXPECT_NEAR(trend(0) + trend(1) * day + trend(2) * age, s.y_mean + s.y_sd * scaled, 1e-10);
    }
  }
  EXPECT_TRUE(q.at(psi, Vector()).tail(3).array().isNaN().all());
}

TEST(Quantities, FollowFixedParametersToo) {
  const auto q =
      quantities_of({.kernel = "rbf", .fixed = {"lambda=0", "tau=0.5"}}, {"age", "height", "day"});
  const Vector values = q.at(Vector::Constant(1, std::log(9.0)), Vector());
  EXPECT_NEAR(values(0), 12, 1e-12);
  EXPECT_EQ(values(1), 0);
  EXPECT_DOUBLE_EQ(values(2), 10);
}

TEST(Quantities, AreToldFromParametersByTheirNames) {
  for (const char* name :
       {"signal_sd", "signal_sd.1", "noise_sd", "lengthscale.2.day", "trend.x"}) {
    EXPECT_TRUE(names_quantity(name)) << name;
  }
  for (const char* name : {"sigma", "sigma.1", "tau.trend", "lambda", "trends", "noise_sd2"}) {
    EXPECT_FALSE(names_quantity(name)) << name;
  }
  EXPECT_TRUE(names_trend("trend.x"));
  EXPECT_FALSE(names_trend("tau.trend"));
}

}  // namespace
}  // namespace ulisse
