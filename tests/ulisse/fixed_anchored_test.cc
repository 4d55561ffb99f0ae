// The anchored gradient of models of which a parameter is fixed.

#include <gtest/gtest.h>

#include <cmath>

#include "support/problem.h"
#include "ulisse/anchored_gradient.h"

namespace ulisse {
namespace {

using testing::Problem;

Anchor anchor_of(const Problem& problem) {
  return make_anchor(*problem.covariance, problem.y, problem.psi, problem.preconditioner(40),
                     {.bank = 16, .cg = testing::kTightSolves});
}

AnchoredGradient gradient_of(const Problem& problem, const Anchor& anchor) {
  return {problem.model, *problem.covariance, anchor, {.cg = testing::kTightSolves}};
}

// With the same probes: where all parameters are free, the gradient by the others is the same.
class AnchoredWithAFixedParameter : public ::testing::TestWithParam<int> {};

TEST_P(AnchoredWithAFixedParameter, TheGradientIsThatOfTheFreeModelByTheOthers) {
  const auto out = static_cast<std::size_t>(GetParam());
  const Problem all("rbf-ard", 150, 2);
  Problem some("rbf-ard", 150, 2);
  some.fix(all.model.names()[out], std::exp(all.psi(GetParam())));
  Indices others;
  for (Index j = 0; j < all.psi.size(); ++j) {
    if (j != GetParam()) others.push_back(j);
  }
  const Anchor of_all = anchor_of(all), of_some = anchor_of(some);
  for (const double shift : {0.0, 0.2}) {
    Vector psi = all.psi;
    for (const Index j : others) psi(j) += shift;
    const GradientEstimate expected = gradient_of(all, of_all).with_whole_bank(psi);
    const GradientEstimate found = gradient_of(some, of_some).with_whole_bank(psi(others));
    ASSERT_EQ(found.gradient.size(), 3);
    EXPECT_LT((found.gradient - expected.gradient(others)).norm(), 1e-6);
    EXPECT_LT((found.covariance - expected.covariance(others, others)).norm(), 1e-6);
    Rng rng = stream(1, 0, Purpose::truncation), same = stream(1, 0, Purpose::truncation);
    EXPECT_LT((gradient_of(some, of_some).estimate(psi(others), rng).gradient -
               gradient_of(all, of_all).estimate(psi, same).gradient(others))
                  .norm(),
              1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(All, AnchoredWithAFixedParameter, ::testing::Values(0, 1, 3));

TEST(PreconditionerTrace, IsByTheFreeParametersAlone) {
  const Problem all("rbf", 100, 2);
  Problem some("rbf", 100, 2);
  some.fix("lambda", std::exp(all.psi(2)));
  const Vector expected = all.preconditioner(20)->half_trace(*all.covariance->at(all.psi));
  const Vector found = some.preconditioner(20)->half_trace(*some.covariance->at(some.psi));
  ASSERT_EQ(found.size(), 2);
  EXPECT_LT((found - expected.head(2)).norm(), 1e-9 * expected.norm());
}

}  // namespace
}  // namespace ulisse
