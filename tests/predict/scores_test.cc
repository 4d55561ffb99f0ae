// Scores of predictions whose target is known.

#include "predict/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "predict/normal.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

// Points with mean i and an sd of f and of noise that make 5 together, two draws alike.
Predictions five_wide(Index points) {
  Predictions p{.mean = Matrix(points, 2),
                .latent = Matrix::Constant(points, 2, 3),
                .noise_sd = Vector::Constant(2, 4)};
  for (Index i = 0; i < points; ++i) p.mean.row(i).setConstant(static_cast<double>(i));
  return p;
}

TEST(Scores, OfOnePointAreTheMixturesOwn) {
  const Scores s = score(five_wide(1), Vector::Constant(1, 6), 0.05, 0.95);
  const GaussianMixture mixture(Vector::Constant(1, 0), Vector::Constant(1, 5));
  EXPECT_DOUBLE_EQ(s.rmse, 6);
  EXPECT_NEAR(s.nlpd, -mixture.log_density(6), 1e-12);
  EXPECT_NEAR(s.crps, mixture.crps(6), 1e-12);
  EXPECT_EQ(s.coverage, 1);
  EXPECT_NEAR(s.width, mixture.quantile(0.95) - mixture.quantile(0.05), 1e-9);
  EXPECT_EQ(score(five_wide(1), Vector::Constant(1, 9), 0.05, 0.95).coverage, 0);
}

// Targets from the predictive distribution: coverage 0.9 within four of its errors, and the density
// that no other prediction beats.
TEST(Scores, TargetsFromTheDistributionAreCovered) {
  constexpr Index kPoints = 4000;
  const Predictions right = five_wide(kPoints);
  Rng rng = stream(1, 0, Purpose::simulation);
  const Vector y = right.mean.col(0) + 5 * rng.normal_vector(kPoints);
  const Scores s = score(right, y, 0.05, 0.95);
  EXPECT_NEAR(s.coverage, 0.9, 4 * std::sqrt(0.09 / kPoints));
  EXPECT_NEAR(s.rmse, 5, 4 * 5 / std::sqrt(2.0 * kPoints));
  for (const double factor : {0.7, 1.4}) {
    Predictions wrong = right;
    wrong.latent *= factor;
    wrong.noise_sd *= factor;
    EXPECT_GT(score(wrong, y, 0.05, 0.95).nlpd, s.nlpd);
    EXPECT_GT(score(wrong, y, 0.05, 0.95).crps, s.crps);
  }
}

TEST(Scores, WantOneTargetForEachPrediction) {
  EXPECT_THROW(score(five_wide(2), Vector::Ones(3), 0.05, 0.95), std::invalid_argument);
  EXPECT_THROW(score(five_wide(0), Vector(), 0.05, 0.95), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
