// Priors on what people think in: their densities of psi, in which units they are, and what is
// refused.

#include "ulisse/stated_prior.h"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <limits>

#include "model/prior_quantity.h"
#include "support/derivatives.h"
#include "support/error_message.h"
#include "ulisse/model.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using Texts = std::vector<std::string>;

const Dataset& columns() {
  static const Dataset data = {
      .x = Matrix(0, 2), .y = Vector(0), .features = {"age", "height"}, .target = "y"};
  return data;
}

Standardisation some_scaling() {
  return {.x_mean = Vector::Zero(2), .x_sd = (Vector(2) << 10, 3).finished(), .y_sd = 4};
}

Model model_with(const std::string& kernel, const Texts& priors, const Texts& fixed = {},
                 const std::string& units = kStandardisedUnits) {
  return make_model(
      ModelOptions{.kernel = kernel, .priors = priors, .fixed = fixed, .prior_units = units},
      columns());
}

// P(low < quantity < high) by the density of psi, which `psi_of` takes the quantity to.
template <class F>
double mass_between(const StatedPrior& prior, const F& psi_of, double low, double high) {
  const auto density = [&](double psi) { return std::exp(prior.log_density_psi(psi).value); };
  const double a = psi_of(low), b = psi_of(high);
  return boost::math::quadrature::gauss_kronrod<double, 61>::integrate(density, std::min(a, b),
                                                                       std::max(a, b), 15, 1e-10);
}

struct Case {
  const char *kernel, *prior;
  Index place;  // in psi
  double (*psi_of)(double quantity);
};

// Each written from the formula of the kernel in docs/method/model.md.
const Case kCases[] = {
    {"rbf", "lengthscale=inverse-gamma(3,2)", 1, [](double l) { return -std::log(2 * l * l); }},
    {"matern12", "lengthscale=lognormal(0.3,0.7)", 1, [](double l) { return -2 * std::log(l); }},
    {"matern52-ard", "lengthscale.height=gamma(2,1)", 2, [](double l) { return -2 * std::log(l); }},
    {"rbf", "signal_sd=half-student-t(4,2)", 0, [](double s) { return 2 * std::log(s); }},
    {"rbf", "noise_sd=half-normal(0.5)", 2, [](double s) { return 2 * std::log(s); }},
    {"rbf(age) + matern32(height)", "signal_sd.2=half-cauchy(1)", 2,
     [](double s) { return 2 * std::log(s); }},
    {"rbf(age) + matern32(height)", "lengthscale.1=lognormal(0,1)", 1,
     [](double l) { return -std::log(2 * l * l); }}};

class StatedPriorOf : public ::testing::TestWithParam<Case> {
 protected:
  StatedPrior prior() const {
    return model_with(GetParam().kernel, {GetParam().prior}).layout.at(GetParam().place).prior;
  }
  Prior plain() const {
    const std::string text = GetParam().prior;
    return parse_prior(text.substr(text.find('=') + 1));
  }
};

TEST_P(StatedPriorOf, HasAllItsMassInPsi) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto density = [&](double psi) { return std::exp(prior().log_density_psi(psi).value); };
  EXPECT_NEAR((boost::math::quadrature::gauss_kronrod<double, 61>::integrate(density, -infinity,
                                                                             infinity, 20)),
              1, 1e-7);
}

// The Jacobian: the quantity is between two values as often as its own density says.
TEST_P(StatedPriorOf, GivesItsQuantityTheDensityStated) {
  const StatedPrior of_theta(plain());
  for (const auto& [low, high] : {std::pair{0.1, 0.4}, {0.4, 1.0}, {1.0, 2.5}, {2.5, 9.0}}) {
    const double expected = mass_between(
        of_theta, [](double q) { return std::log(q); }, low, high);
    EXPECT_NEAR(mass_between(prior(), GetParam().psi_of, low, high), expected, 1e-8)
        << low << " to " << high;
  }
}

TEST_P(StatedPriorOf, SlopeIsTheDerivative) {
  const auto value = [&](double psi) { return prior().log_density_psi(psi).value; };
  for (const double psi : {-4.0, -1.2, -0.1, 0.0, 0.8, 3.0}) {
    const double slope = prior().log_density_psi(psi).slope;
    EXPECT_NEAR(slope, testing::derivative(value, psi), 1e-7 * (1 + std::abs(slope))) << psi;
  }
}

TEST_P(StatedPriorOf, IsReadBackFromItsText) {
  const Model model = model_with(GetParam().kernel, {GetParam().prior});
  const Parameter& parameter = model.layout.at(GetParam().place);
  const StatedPrior again = parse_stated_prior(prior().to_string(), parameter);
  EXPECT_EQ(again.to_string(), prior().to_string());
  for (const double psi : {-2.0, 0.3}) {
    EXPECT_EQ(again.log_density_psi(psi).value, prior().log_density_psi(psi).value);
  }
}

INSTANTIATE_TEST_SUITE_P(All, StatedPriorOf, ::testing::ValuesIn(kCases));

TEST(StatedPrior, LengthScaleStandsForAllTaus) {
  const Model model =
      model_with("rbf-ard", {"lengthscale=gamma(2,1)", "lengthscale.age=gamma(3,1)"});
  EXPECT_EQ(model.layout.at(1).prior.to_string(), "lengthscale=gamma(3,1)");
  EXPECT_EQ(model.layout.at(2).prior.to_string(), "lengthscale=gamma(2,1)");
  EXPECT_EQ(model.layout.at(3).prior.to_string(),
            model_with("rbf", {}).layout.at(2).prior.to_string());
}

TEST(StatedPrior, OneParameterHasOnePrior) {
  EXPECT_EQ(message_of([] {
              model_with("rbf", {"tau=gamma(1,1)", "lengthscale=gamma(1,1)"});
            }),
            "priors: tau and lengthscale are one parameter, which has two priors; leave one of "
            "them out");
  EXPECT_TRUE(
      contains(message_of([] {
                 model_with("rbf-ard", {"lengthscale.2=gamma(1,1)", "tau.height=gamma(1,1)"});
               }),
               "are one parameter"));
  EXPECT_EQ(message_of([] {
              model_with("rbf", {}, {"lambda=1", "noise_sd=1"});
            }),
            "fixed: lambda and noise_sd are one parameter, which is there twice; leave one of "
            "them out");
}

TEST(StatedPrior, ValuesOfWhatPeopleThinkInCanBeFixed) {
  const Layout rbf = model_with("rbf-ard", {}, {"lengthscale.age=2", "noise_sd=0.1"}).layout;
  EXPECT_DOUBLE_EQ(*rbf.parameters()[1].fixed, 1.0 / 8);
  EXPECT_FALSE(rbf.parameters()[2].fixed);
  EXPECT_DOUBLE_EQ(*rbf.parameters()[3].fixed, 0.01);
  EXPECT_DOUBLE_EQ(*model_with("matern32", {}, {"lengthscale=2"}).layout.parameters()[1].fixed,
                   0.25);
  EXPECT_EQ(*model_with("rbf", {}, {"noise_sd=0"}).layout.parameters()[2].fixed, 0);
  EXPECT_EQ(message_of([] { model_with("rbf-ard", {}, {"lengthscale.age=-2"}); }),
            "fixed: lengthscale.1 cannot be fixed at -2");
}

// A quantity in the table's units is as likely as stated: of age's length scale, 10 times that of
// the standardised column.
TEST(StatedPrior, MayBeInTheUnitsOfTheTable) {
  const Texts priors = {"lengthscale.age=lognormal(3,0.5)", "tau.height=gamma(2,3)",
                        "noise_sd=half-normal(2)", "sigma=lognormal(1,1)"};
  const Layout layout =
      scaled(model_with("matern32-ard", priors, {}, kDataUnits), some_scaling()).layout;
  const auto expect = [&](Index place, const char* plain, double unit, double power) {
    const StatedPrior of_theta(parse_prior(plain));
    const auto psi_of = [&](double q) { return std::log(q / unit) / power; };
    for (const auto& [low, high] : {std::pair{0.2, 1.0}, {1.0, 5.0}, {5.0, 40.0}}) {
      EXPECT_NEAR(mass_between(layout.at(place).prior, psi_of, low, high),
                  mass_between(
                      of_theta, [](double q) { return std::log(q); }, low, high),
                  1e-8)
          << plain;
    }
  };
  expect(0, "lognormal(1,1)", 16, 1);
  expect(1, "lognormal(3,0.5)", 10, -0.5);
  expect(2, "gamma(2,3)", 1.0 / 9, 1);
  expect(3, "half-normal(2)", 4, 0.5);
}

TEST(StatedPrior, FixedValuesMayBeInTheUnitsOfTheTable) {
  const Texts fixed = {"lengthscale.age=30", "noise_sd=0.4", "sigma=8"};
  const Layout layout =
      scaled(model_with("matern32-ard", {}, fixed, kDataUnits), some_scaling()).layout;
  EXPECT_DOUBLE_EQ(*layout.parameters()[1].fixed, 1.0 / 9);
  EXPECT_DOUBLE_EQ(*layout.parameters()[3].fixed, 0.01);
  EXPECT_DOUBLE_EQ(*layout.parameters()[0].fixed, 0.5);
}

TEST(StatedPrior, OneTauForInputsOfDifferentUnitsHasNone) {
  for (const Texts& priors : {Texts{"lengthscale=gamma(1,1)"}, Texts{"tau=gamma(1,1)"}}) {
    const Model model = model_with("rbf", priors, {}, kDataUnits);
    EXPECT_EQ(message_of([&] { scaled(model, some_scaling()); }),
              "prior_units: tau is one for inputs whose standard deviations differ, so that its "
              "length scale has no unit of the table; state it on standardised values, or give "
              "each input its own by an -ard kernel");
    Standardisation same = some_scaling();
    same.x_sd.setConstant(7);
    EXPECT_NO_THROW(scaled(model, same));
  }
  EXPECT_NO_THROW(
      scaled(model_with("rbf", {"noise_sd=gamma(1,1)"}, {}, kDataUnits), some_scaling()));
}

TEST(StatedPrior, UnitsAreThoseOfTheTableOrStandardised) {
  EXPECT_EQ(message_of([] { model_with("rbf", {}, {}, "metres"); }),
            "prior_units: 'metres' is neither standardised nor data");
}

}  // namespace
}  // namespace ulisse
