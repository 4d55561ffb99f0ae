// Scores of predictions whose target is known.

#include "predict/scores.h"

#include <gtest/gtest.h>

#include <cmath>

#include "predict/normal.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

Scores score(const PredictiveDraws& predictions, const Vector& y, double low, double high) {
  return mean_scores(point_scores(predictions, y, low, high));
}

// Points with mean i and an sd of f and of noise that make 5 together, two draws alike.
PredictiveDraws five_wide(Index points) {
  PredictiveDraws p{.mean = Matrix(points, 2),
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
  const PredictiveDraws right = five_wide(kPoints);
  Rng rng = stream(1, 0, Purpose::simulation);
  const Vector y = right.mean.col(0) + 5 * rng.normal_vector(kPoints);
  const Scores s = score(right, y, 0.05, 0.95);
  EXPECT_NEAR(s.coverage, 0.9, 4 * std::sqrt(0.09 / kPoints));
  EXPECT_NEAR(s.rmse, 5, 4 * 5 / std::sqrt(2.0 * kPoints));
  for (const double factor : {0.7, 1.4}) {
    PredictiveDraws wrong = right;
    wrong.latent *= factor;
    wrong.noise_sd *= factor;
    EXPECT_GT(score(wrong, y, 0.05, 0.95).nlpd, s.nlpd);
    EXPECT_GT(score(wrong, y, 0.05, 0.95).crps, s.crps);
  }
}

TEST(Scores, DifferencesOfTheSamePointsAddUp) {
  constexpr Index kPoints = 300;
  const PredictiveDraws right = five_wide(kPoints);
  PredictiveDraws other = right;
  other.mean.array() += 1;
  other.noise_sd *= 1.2;
  Rng rng = stream(2, 0, Purpose::simulation);
  const Vector y = right.mean.col(0) + 5 * rng.normal_vector(kPoints);
  const PointScores a = point_scores(right, y, 0.05, 0.95), b = point_scores(other, y, 0.05, 0.95);
  const Scores of_a = mean_scores(a), of_b = mean_scores(b);
  const auto [difference, error] = compare_scores(a, b);
  EXPECT_NEAR(difference.rmse, of_a.rmse - of_b.rmse, 1e-12);
  EXPECT_NEAR(difference.nlpd, of_a.nlpd - of_b.nlpd, 1e-12);
  EXPECT_NEAR(difference.crps, of_a.crps - of_b.crps, 1e-12);
  EXPECT_NEAR(difference.coverage, of_a.coverage - of_b.coverage, 1e-12);
  EXPECT_NEAR(difference.width, of_a.width - of_b.width, 1e-9);
  const Vector apart = a.col(1) - b.col(1);
  const double variance = (apart.array() - apart.mean()).square().sum() / (kPoints - 1);
  EXPECT_NEAR(error.nlpd, std::sqrt(variance / kPoints), 1e-12);
}

// Over many tables of targets the standard error is the spread of the differences, also where one
// predictor is much worse than the other. The spread of 400 differences is known to 4 % (one
// standard deviation): four of them leave a false alarm of 1e-4.
TEST(Scores, StandardErrorsAreTheSpreadOverTables) {
  constexpr Index kPoints = 200, kTables = 400;
  const PredictiveDraws right = five_wide(kPoints);
  PredictiveDraws other = right;
  for (Index i = 0; i < kPoints; ++i) other.mean.row(i).array() += i % 2 == 0 ? 10 : -10;
  Vector rmse(kTables), crps(kTables);
  Scores errors;
  for (Index t = 0; t < kTables; ++t) {
    Rng rng = stream(3, static_cast<std::uint32_t>(t), Purpose::simulation);
    const Vector y = right.mean.col(0) + 5 * rng.normal_vector(kPoints);
    const auto [difference, error] =
        compare_scores(point_scores(right, y, 0.05, 0.95), point_scores(other, y, 0.05, 0.95));
    rmse(t) = difference.rmse;
    crps(t) = difference.crps;
    errors.rmse += error.rmse / kTables;
    errors.crps += error.crps / kTables;
  }
  const auto sd = [](const Vector& v) {
    return std::sqrt((v.array() - v.mean()).square().sum() / (kTables - 1));
  };
  EXPECT_NEAR(errors.rmse / sd(rmse), 1, 0.16);
  EXPECT_NEAR(errors.crps / sd(crps), 1, 0.16);
}

TEST(Scores, WantOneTargetForEachPrediction) {
  EXPECT_THROW(score(five_wide(2), Vector::Ones(3), 0.05, 0.95), std::invalid_argument);
  EXPECT_THROW(score(five_wide(0), Vector(), 0.05, 0.95), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
