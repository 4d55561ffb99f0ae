// How many gradients an attempt at the certificate takes, and what it is expected to find.

#include "ulisse/round_size.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/random_points.h"
#include "support/skewed_density.h"
#include "support/statistics.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

constexpr double kGoal = 0.05, kFirstLevel = 0.975;

RoundSize size_for(double error, Index most = largest_attempt().draws) {
  const double squared = error * error;
  return attempt_size(
      {.squared_error = squared, .farther_out = 4 * squared, .curvature = 0.8, .least_sd = 1},
      kGoal, kFirstLevel, most);
}

TEST(AttemptSize, TakesMoreDrawsTheNearerTheErrorIsToTheGoal) {
  EXPECT_EQ(size_for(1e-4).draws, 8);
  Index before = 8, sizes = 1;
  for (double error = 0.001; error < kGoal; error *= 1.05) {
    const Index draws = size_for(error).draws;
    if (draws == 0) break;
    EXPECT_GE(draws, before) << error;
    EXPECT_EQ(size_for(error, draws - 1).draws, 0) << "no more than may be";
    if (draws > before) ++sizes;
    before = draws;
  }
  EXPECT_EQ(before, largest_attempt().draws);
  EXPECT_EQ(sizes, 5);
  EXPECT_EQ(size_for(0.5 * kGoal).draws, 0) << "its limit is beyond half of the goal";
}

TEST(AttemptSize, LooksAtTailsHoweverFewDrawsThereAre) {
  const RoundSize least = size_for(0);
  EXPECT_EQ(least.draws, 8);
  EXPECT_EQ(least.farther, 4);
}

TEST(AttemptSize, IsNothingWhereNothingIsKnownOrThePosteriorIsNotLogConcave) {
  EXPECT_EQ(attempt_size({.curvature = 1, .least_sd = 1}, kGoal, kFirstLevel, 32).draws, 0);
  EXPECT_EQ(attempt_size({.squared_error = 0, .farther_out = 0, .curvature = -0.1, .least_sd = 1},
                         kGoal, kFirstLevel, 32)
                .draws,
            0);
}

TEST(RoundPlaces, AreDrawsAndSomeOfThemFartherOut) {
  const Matrix draws = normal_matrix(3, 400, 1);
  const Vector mean = draws.rowwise().mean();
  const std::vector<Place> places = choose_places(draws, mean, {8, 4});
  ASSERT_EQ(places.size(), 12U);
  for (std::size_t i = 0; i < places.size(); ++i) {
    EXPECT_EQ(places[i].is_draw, i % 3 != 2) << i;
    const Vector draw = draws.col(static_cast<Index>(i) * 33);
    const double factor = places[i].is_draw ? 1 : kFarther;
    EXPECT_LT((places[i].v - mean - factor * (draw - mean)).norm(), 1e-12) << i;
  }
}

// Gradients of 2,000 functions of the process itself, with the noise of what is known.
TEST(ExpectedError, IsThatOfTheGaussianProcess) {
  constexpr SurrogateKernel kKernel{.separate_variance = 0.7,
                                    .separate_length = 1.3,
                                    .joint_variance = 0.4,
                                    .joint_length = 2.1,
                                    .nugget = 0.01};
  constexpr double kNoiseVariance = 0.04;
  const Whitening whitening = testing::SkewedDensity().whitening();
  const Matrix places = normal_matrix(3, 9, 3);
  Lessons known;
  for (Index i = 0; i < 6; ++i) {
    known.push_back({places.col(i), Vector::Zero(3), kNoiseVariance * Matrix::Identity(3, 3)});
  }
  const double expected = expected_squared_error(kKernel, whitening, known, places.rightCols(3));

  Matrix all = kKernel.gradient_covariances(places);
  all.diagonal().array() += kKernel.nugget;
  all.diagonal().head(18).array() += kNoiseVariance;
  const Matrix factor = all.llt().matrixL();
  const Matrix weights = all.topLeftCorner(18, 18).llt().solve(all.topRightCorner(18, 9));
  Vector errors(2000);
  for (Index i = 0; i < errors.size(); ++i) {
    Rng rng = stream(7, 0, Purpose::simulation, static_cast<std::uint64_t>(i));
    const Vector drawn = factor * rng.normal_vector(27);
    errors(i) = (drawn.tail(9) - weights.transpose() * drawn.head(18)).squaredNorm() / 3;
  }
  const double sd = std::sqrt((errors.array() - errors.mean()).square().mean());
  EXPECT_LT(std::abs(testing::z_score(errors, expected, sd)), testing::kOneInAMillion);
}

TEST(ExpectedError, IsInfiniteWhereNothingIsKnown) {
  EXPECT_TRUE(std::isinf(
      expected_squared_error({}, testing::SkewedDensity().whitening(), {}, Matrix::Zero(3, 1))));
}

}  // namespace
}  // namespace ulisse
