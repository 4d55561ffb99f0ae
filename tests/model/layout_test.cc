#include "ulisse/layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/derivatives.h"
#include "support/error_message.h"
#include "support/random_points.h"
#include "ulisse/model.h"

namespace ulisse {
namespace {

using testing::gradient_of;
using testing::normal_matrix;
using Parameters = std::vector<std::string>;

Layout layout_of(const std::string& kernel, Index d = 3) {
  return make_model(parse_kernel(kernel), d).layout;
}

// Signal 2, noise 0.1, and 1, 2, ... for the inverse squared length of each input, or 0.5.
Layout::Values some_values() {
  return {.log_signal_variance = std::log(2.0),
          .log_noise_variance = std::log(0.1),
          .log_inverse_squared_length = [](const Parameter& parameter) {
            const auto& inputs = parameter.inputs;
            return inputs.size() == 1 ? std::log(1.0 + double(inputs[0].column)) : std::log(0.5);
          }};
}

TEST(Layout, HandsOutThePartsOfAPsi) {
  const Layout layout = layout_of("rbf-ard");
  const Vector psi = normal_matrix(5, 1, 1);
  EXPECT_EQ(layout.kernel_psi(psi), psi.head(4));
  EXPECT_EQ(layout.noise_psi(psi), psi.tail(1));
  EXPECT_THROW(layout.kernel_psi(psi.head(4)), std::invalid_argument);
  EXPECT_THROW(layout.noise_psi(psi.head(4)), std::invalid_argument);
}

TEST(Layout, AFixedParameterIsOutOfPsiAndFilledIn) {
  Layout layout = layout_of("rbf-ard");
  layout.fix("tau.2", 0.7);
  EXPECT_EQ(layout.names(), (Parameters{"sigma", "tau.1", "tau.3", "lambda"}));
  EXPECT_EQ(layout.parameters().size(), 5U);
  const Vector psi = normal_matrix(4, 1, 1);
  const Vector kernel = layout.kernel_psi(psi);
  EXPECT_EQ(kernel(1), psi(1));
  EXPECT_EQ(kernel(2), std::log(0.7));
  EXPECT_EQ(kernel(3), psi(2));
  EXPECT_EQ(layout.noise_psi(psi)(0), psi(3));
}

TEST(Layout, AFixedNoiseMayBeNone) {
  Model model = make_model(parse_kernel("rbf"), 2);
  model.layout.fix("lambda", 0);
  EXPECT_EQ(model.names(), (Parameters{"sigma", "tau"}));
  const Vector psi = Vector::Constant(2, 0.3);
  EXPECT_EQ(model.layout.noise_psi(psi)(0), -INFINITY);
  EXPECT_EQ(model.noise_variance(psi), 0);
  EXPECT_DOUBLE_EQ(model.signal_variance(psi), std::exp(0.3));
}

TEST(Layout, WhatCannotBeFixedIsRefused) {
  Layout layout = layout_of("rbf");
  EXPECT_THROW(layout.fix("sigma", 0), std::invalid_argument);
  EXPECT_THROW(layout.fix("tau", -1), std::invalid_argument);
  EXPECT_THROW(layout.fix("lambda", NAN), std::invalid_argument);
  EXPECT_THROW(layout.fix("tau.1", 1), std::invalid_argument);
  EXPECT_EQ(layout.size(), 3);
}

TEST(Layout, DerivativesByAllBecomeThoseByTheFreeOnes) {
  Layout layout = layout_of("rbf-ard");
  layout.fix("sigma", 1);
  layout.fix("tau.3", 1);
  const Matrix by_all = normal_matrix(5, 2, 1);
  Matrix expected(3, 2);
  expected << by_all.row(1), by_all.row(2), by_all.row(4);
  EXPECT_EQ(layout.of_free(by_all), expected);
  EXPECT_EQ(layout.of_free(Vector(by_all.col(0))), expected.col(0));
}

TEST(Layout, ThePriorOfAFixedParameterDoesNotCount) {
  Model model = make_model(parse_kernel("rbf"), 2, {"lambda=half-normal(0.5)"});
  const Vector psi = normal_matrix(3, 1, 1), without(psi(Indices{0, 2}));
  const double all = model.log_prior(psi).value;
  const double of_tau = model.layout.at(1).prior.log_density_psi(psi(1)).value;
  model.layout.fix("tau", 3);
  EXPECT_NEAR(model.log_prior(without).value, all - of_tau, 1e-14);
  const Vector numerical =
      gradient_of([&](const Vector& p) { return model.log_prior(p).value; }, without);
  EXPECT_LT((model.log_prior(without).gradient - numerical).norm(), 1e-8);
}

TEST(Layout, APsiIsMadeOfValuesByRole) {
  Model model = make_model(parse_kernel("rbf-ard"), 3);
  model.layout.fix("tau.2", 7);
  const Vector psi = model.layout.psi_with(some_values());
  ASSERT_EQ(psi.size(), 4);
  EXPECT_DOUBLE_EQ(model.signal_variance(psi), 2);
  EXPECT_DOUBLE_EQ(model.noise_variance(psi), 0.1);
  const Vector tau = model.layout.kernel_psi(psi).tail(3).array().exp();
  EXPECT_TRUE(tau.isApprox((Vector(3) << 1, 7, 3).finished(), 1e-14)) << tau;
  const Layout shared = layout_of("rbf");
  EXPECT_DOUBLE_EQ(std::exp(shared.psi_with(some_values())(1)), 0.5);
}

TEST(Layout, CountsTheInverseSquaredLengthsInPsi) {
  Layout shared = layout_of("matern52"), own = layout_of("matern52-ard");
  EXPECT_EQ(shared.inverse_squared_lengths(), 1);
  EXPECT_EQ(own.inverse_squared_lengths(), 3);
  own.fix("tau.1", 1);
  EXPECT_EQ(own.inverse_squared_lengths(), 2);
}

TEST(Layout, TermsHaveEqualSharesOfTheVariance) {
  const Dataset columns{.x = Matrix(0, 2), .y = Vector(0), .features = {"a", "b"}, .target = "y"};
  const Model model = make_model("rbf(a) + rbf(b)", columns);
  EXPECT_EQ(model.names(), (Parameters{"sigma.1", "tau.1", "sigma.2", "tau.2", "lambda"}));
  const Vector psi = model.layout.psi_with(some_values());
  EXPECT_DOUBLE_EQ(std::exp(psi(0)), 1);
  EXPECT_DOUBLE_EQ(std::exp(psi(2)), 1);
  EXPECT_DOUBLE_EQ(model.signal_variance(psi), 2);
}

TEST(Layout, OnlyAParameterOfOneInputIsSaidToBelongToIt) {
  const Layout own = layout_of("rbf-ard", 2), shared = layout_of("rbf", 1);
  EXPECT_EQ(own.input_of(0), std::nullopt);
  EXPECT_EQ(own.input_of(2), 1);
  EXPECT_EQ(own.input_of(3), std::nullopt);
  EXPECT_EQ(shared.input_of(1), std::nullopt) << "one for all inputs, of which there is one";
}

// exp(-r^2 / (2 l^2)) and (1 + a) exp(-a), a = sqrt(3) r / l, at the distance l.
TEST(Layout, LengthScalesAreThoseOfTheUsualFormulas) {
  const double tau = 0.37;
  for (const auto& [shape, expected] :
       {std::pair{Shape::rbf, std::exp(-0.5)},
        std::pair{Shape::matern32, (1 + std::sqrt(3.0)) * std::exp(-std::sqrt(3.0))}}) {
    const double l = length_scale(shape, tau);
    EXPECT_NEAR(evaluate(shape, tau * l * l).value, expected, 1e-14);
  }
}

}  // namespace
}  // namespace ulisse
