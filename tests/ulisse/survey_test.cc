// How the posterior is looked at around the anchor.

#include "ulisse/survey.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/problem.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::Problem;

// The logarithm of a Gamma(3) variable along (1, ..., 1)/sqrt(p), standard normal across it: seen
// along the axes alone its bend would be a tenth of what it is.
TEST(Survey, ASkewBetweenTheAxesIsSeen) {
  constexpr double kShape = 3;
  const double alone = (std::exp(1.5 / std::sqrt(kShape)) - 1) * std::sqrt(kShape) / 1.5 - 1;
  for (const Index p : {1, 3, 10}) {
    const Vector along = Vector::Ones(p).normalized();
    const GradientAt gradient = [&](const Vector& psi) {
      const double z = along.dot(psi);
      GradientEstimate e;
      e.gradient = -psi + (z + std::sqrt(kShape) * (1 - std::exp(z / std::sqrt(kShape)))) * along;
      e.covariance = Matrix::Zero(p, p);
      return e;
    };
    Survey survey{.coordinates = Coordinates(Vector::Zero(p)),
                  .centre = Vector::Zero(p),
                  .metric = Matrix::Identity(p, p)};
    survey_bend(gradient, survey);
    EXPECT_NEAR(survey.bend, alone, 1e-3) << p;
    EXPECT_EQ(survey.mode_distance, 0);
  }
}

TEST(Survey, AGaussianHasNoBend) {
  Matrix covariance(2, 2);
  covariance << 0.06, -0.03, -0.03, 0.02;
  const Vector mode = Vector::Constant(2, 0.1);
  const GradientAt gradient = [&](const Vector& psi) {
    GradientEstimate e;
    e.gradient = covariance.llt().solve(mode - psi);
    e.covariance = Matrix::Zero(2, 2);
    return e;
  };
  Survey survey{.coordinates = Coordinates(mode), .centre = Vector::Zero(2), .metric = covariance};
  survey_bend(gradient, survey);
  EXPECT_NEAR(survey.bend, 0, 1e-12);
}

TEST(Survey, ABendedGradientIsSeen) {
  const Problem problem("rbf", 400, 1);
  const ExactPosterior exact(problem.model, problem.x, problem.y);
  const Mode mode = find_mode(exact, problem.x, problem.y);
  const auto k = problem.covariance->at(mode.psi);
  auto p = std::make_shared<LowRankPreconditioner>(pivoted_cholesky(*k, {.rank = 40}), k->noise());
  const Anchor anchor = make_anchor(*problem.covariance, problem.y, mode.psi, p,
                                    {.bank = 64, .cg = testing::kTightSolves});
  const AnchoredGradient gradient(problem.model, *problem.covariance, anchor,
                                  {.cg = testing::kTightSolves});
  const Survey none{.coordinates = Coordinates(mode.psi), .centre = Vector::Zero(mode.psi.size())};
  Survey wide = none, narrow = none;
  wide.metric = mode.covariance;
  narrow.metric = 1e-4 * mode.covariance;
  const GradientAt bank = [&](const Vector& psi) { return gradient.with_whole_bank(psi); };
  survey_bend(bank, wide);
  survey_bend(bank, narrow);
  EXPECT_GT(wide.bank_error, 0);
  Survey again = wide;
  again.bank_error = 0;
  survey_bank(gradient, again);
  EXPECT_EQ(again.bank_error, wide.bank_error);
  EXPECT_GT(wide.bend, 0.05);
  EXPECT_GT(narrow.bend, 0.9) << "a gradient a hundred times too flat is no Gaussian's";
}

TEST(PositiveInverse, InvertsAndRepairsOpenly) {
  Matrix information(2, 2);
  information << 4, 1, 1, 3;
  bool repaired = true;
  const Matrix guess = Matrix::Identity(2, 2);
  EXPECT_LT((positive_inverse(information, guess, repaired) - information.inverse()).norm(), 1e-12);
  EXPECT_FALSE(repaired);
  information << 4, 0, 0, -3;
  const Matrix mended = positive_inverse(information, guess, repaired);
  EXPECT_TRUE(repaired);
  EXPECT_GT(mended.llt().info() == Eigen::Success, 0);
}

}  // namespace
}  // namespace ulisse
