#include "fit/bias_budget.h"

#include <gtest/gtest.h>

#include "fit/judge_fit.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using Code = Finding::Code;

// The only one there is.
Finding only(const BiasBudget& b) {
  Findings found = findings_of(b);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Finding{} : found[0];
}

SetupRecord setup() {
  return {.exact_trace = true, .trace_error = 0, .bank_error = 0.02, .solver_error = 1e-4};
}

ChainRecord chain(const std::vector<double>& diagonal) {
  return {.stein = Eigen::Map<const Vector>(diagonal.data(), static_cast<Index>(diagonal.size()))
                       .asDiagonal()
                       .toDenseMatrix()};
}

std::vector<ChainRecord> chains(const std::vector<double>& first,
                                const std::vector<double>& second) {
  return {chain(first), chain(second)};
}

TEST(BiasBudget, IsForTheSamplerUlisseAlone) {
  EXPECT_FALSE(bias_budget(std::nullopt, chains({1}, {1})));
  EXPECT_FALSE(bias_budget(setup(), {{.step_size = 1}}));
  EXPECT_FALSE(bias_budget(setup(), {}));
}

// The second parameter is off most: its mean is 1.2, so its standard deviation is off by a tenth;
// the chains are 0.04 apart, so the mean is known to 0.02, and the tenth to 0.01.
TEST(BiasBudget, TakesTheParameterThatIsOffMost) {
  const auto budget = bias_budget(setup(), chains({1.01, 1.18}, {1.0, 1.22}));
  ASSERT_TRUE(budget);
  EXPECT_NEAR(budget->discretisation, 0.1, 1e-12);
  EXPECT_NEAR(budget->discretisation_error, 0.01, 1e-12);
  EXPECT_EQ(budget->bank, 0.02);
  EXPECT_TRUE(budget->exact_anchor);
}

// Variances are 1.2 times too large along (1, ..., 1)/sqrt(5), 1.04 times in each parameter.
TEST(BiasBudget, SeesWhatIsOffBetweenParameters) {
  std::vector<ChainRecord> four;
  for (const double along : {0.19, 0.21, 0.18, 0.22}) {
    four.push_back({.stein = Matrix::Constant(5, 5, along / 5) + Matrix::Identity(5, 5)});
  }
  EXPECT_NEAR(bias_budget(setup(), four)->discretisation, 0.1, 1e-12);
  EXPECT_NEAR(bias_budget(setup(), four)->discretisation_error, 0.00456, 1e-5);
}

// 2,000 times four chains whose identity is off by chance alone, 0.1 an entry, ten parameters: what
// is said beyond 3 of its errors, with four chains of a t law, is one in 17 for a single quantity.
TEST(BiasBudget, DirectionsAreNotChosenByTheirOwnChance) {
  int beyond = 0;
  constexpr int kTimes = 2000;
  for (int t = 0; t < kTimes; ++t) {
    Rng rng = stream(3, t, Purpose::transition);
    std::vector<ChainRecord> four;
    for (int c = 0; c < 4; ++c) {
      Matrix stein(10, 10);
      for (Index i = 0; i < 10; ++i) stein.row(i) = 0.1 * rng.normal_vector(10).transpose();
      stein.diagonal().setOnes();  // it is looked at by itself
      four.push_back({.stein = stein});
    }
    const auto b = bias_budget(setup(), four);
    if (b->discretisation > 3 * b->discretisation_error) ++beyond;
  }
  EXPECT_LT(beyond, kTimes / 10);
}

TEST(BiasBudget, KnowsTheShortestStep) {
  auto two = chains({1}, {1});
  EXPECT_TRUE(std::isnan(bias_budget(setup(), two)->step));
  two[0].step_size = 2.5;
  two[1].step_size = 1.25;
  EXPECT_EQ(bias_budget(setup(), two)->step, 1.25);
}

TEST(BiasBudget, FreshProbesHaveNoBank) {
  SetupRecord fresh = setup();
  fresh.bank_error = 0.5;
  EXPECT_EQ(bias_budget(fresh, chains({1}, {1}))->bank, 0.5);
  fresh.fresh_probes = true;
  EXPECT_EQ(bias_budget(fresh, chains({1}, {1}))->bank, 0);
  fresh.fresh_probes = false;
  fresh.bank_error = NAN;
  EXPECT_FALSE(findings_of(*bias_budget(fresh, chains({1}, {1}))).empty());
}

TEST(BiasBudget, IsFoundWhereItIsLargeAndCertain) {
  BiasBudget b{.discretisation = 0.05, .discretisation_error = 0.01, .bank = 0.05};
  EXPECT_TRUE(findings_of(b).empty());
  b = {.discretisation = 0.2, .discretisation_error = 0.1};
  EXPECT_TRUE(findings_of(b).empty()) << "it may be chance";
  b.discretisation_error = 0.02;
  EXPECT_EQ(only(b).code, Code::spread_bias);
  EXPECT_EQ(only(b).remedies[0].change, Finding::Remedy::Change::halve);
  b.step = 1.3;
  EXPECT_EQ(std::get<double>(*only(b).remedies[0].value), 0.65);
  b = {.discretisation = 490, .discretisation_error = 490};
  EXPECT_EQ(only(b).code, Code::spread_bias_extreme) << "whatever its error";
  b = {.anchor = 0.2, .bank = 0.3, .solver = 0.5};
  const Findings three = findings_of(b);
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(three[0].code, Code::mode_gradient_bias);
  EXPECT_EQ(three[0].remedies[0].option, "mode_gradient_probes");
  EXPECT_EQ(three[1].code, Code::anchor_probes_bias);
  EXPECT_EQ(three[1].number("bias"), 0.3);
  EXPECT_EQ(three[2].code, Code::solver_bias);
}

TEST(BiasBudget, AnErrorThatWasAskedForAndNotReachedIsFound) {
  BiasBudget b{.anchor = 0.03, .anchor_goal = 0.05};
  EXPECT_TRUE(findings_of(b).empty());
  b.anchor_goal = 0.02;
  EXPECT_EQ(only(b).code, Code::mode_gradient_error_above_goal);
  EXPECT_EQ(only(b).number("bias"), 0.03);
  EXPECT_EQ(only(b).number("goal"), 0.02);
  b.anchor = 0.2;
  EXPECT_EQ(only(b).code, Code::mode_gradient_bias) << "not twice";
}

// The first is off by 0.2, known to 0.1: that may be chance. The second is off by 0.15 for certain.
TEST(BiasBudget, PrefersWhatIsCertain) {
  const auto budget = bias_budget(setup(), chains({1.2, 1.29}, {1.6, 1.31}));
  ASSERT_TRUE(budget);
  EXPECT_NEAR(budget->discretisation, 0.15, 1e-12);
  EXPECT_EQ(findings_of(*budget).size(), 1U);
}

TEST(BiasBudget, OfOneChainIsFoundWithoutAnError) {
  const auto budget = bias_budget(setup(), {chain({1.4})});
  ASSERT_TRUE(budget);
  EXPECT_EQ(findings_of(*budget).size(), 1U);
}

TEST(BiasBudget, OfTooFewDrawsIsNotKnown) {
  const auto budget = bias_budget(setup(), {{.stein = Matrix::Constant(2, 2, NAN)}});
  ASSERT_TRUE(budget);
  EXPECT_TRUE(findings_of(*budget).empty());
  EXPECT_TRUE(to_json(*budget).at("discretisation").is_null());
}

TEST(BiasBudget, CountsInexactProducts) {
  SetupRecord inexact = setup();
  inexact.product_error = 0.4;
  const auto budget = bias_budget(inexact, chains({1}, {1}));
  EXPECT_EQ(budget->products, 0.4);
  EXPECT_EQ(only(*budget).code, Code::product_bias);
  inexact.product_error = NAN;  // not a number
  EXPECT_EQ(findings_of(*bias_budget(inexact, chains({1}, {1}))).size(), 1U);
}

TEST(BiasBudget, ErrorsThatGradientsShareMoveASurrogateByAsMuchOverTheLeastCurvature) {
  SetupRecord learnt = setup();
  learnt.anchored = true;
  learnt.certificate = Certificate{.limit = 0.04, .curvature = 0.5};
  const auto budget = bias_budget(learnt, chains({1}, {1}));
  EXPECT_EQ(*budget->surrogate, 0.04);
  EXPECT_EQ(budget->bank, 0.02 / 0.5);
  EXPECT_EQ(budget->solver, 1e-4 / 0.5);
  EXPECT_TRUE(findings_of(*budget).empty());
  learnt.certificate->curvature = 2;
  EXPECT_EQ(bias_budget(learnt, chains({1}, {1}))->bank, 0.02) << "no less than a Gaussian's";
}

TEST(BiasBudget, ACertificateThatAllowsMuchIsFound) {
  SetupRecord learnt = setup();
  learnt.certificate = Certificate{.limit = 0.15, .curvature = 0.5};
  const Finding found = only(*bias_budget(learnt, chains({1}, {1})));
  EXPECT_EQ(found.code, Code::surrogate_bias);
  EXPECT_EQ(found.number("limit"), 0.15);
  EXPECT_EQ(found.remedies[0].option, "certificate");
}

TEST(BiasBudget, TheBankChangesTheSpreadByAThirdOfItsErrorAtOneAndAHalf) {
  EXPECT_NEAR(bias_budget(setup(), chains({1}, {1}))->bank_spread, 0.02 / 3, 1e-15);
}

}  // namespace
}  // namespace ulisse
