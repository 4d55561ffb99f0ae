// The surrogate: its kernel, its gradients, and what it learns.

#include "ulisse/surrogate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_points.h"
#include "support/skewed_density.h"
#include "ulisse/fit_surrogate.h"
#include "ulisse/surrogate_draws.h"

namespace ulisse {
namespace {

using testing::lesson_at;
using testing::normal_matrix;
using testing::SkewedDensity;

constexpr SurrogateKernel kKernel{
    .separate_variance = 0.7, .separate_length = 1.3, .joint_variance = 0.4, .joint_length = 2.1};

template <class F>
Vector slope_by_differences(const F& value, const Vector& at) {
  constexpr double kStep = 1e-5;
  Vector slope(at.size());
  for (Index j = 0; j < at.size(); ++j) {
    const Vector away = kStep * Vector::Unit(at.size(), j);
    slope(j) = (value(at + away) - value(at - away)) / (2 * kStep);
  }
  return slope;
}

TEST(SurrogateKernel, GradientsMeetDifferencesOfValues) {
  const Matrix places = normal_matrix(3, 7, 1), weights = normal_matrix(3, 7, 2);
  const Vector v = normal_matrix(3, 1, 3);
  Vector gradient(3), unused(3);
  kKernel.value_and_gradient(v, places, weights, gradient);
  const Vector expected = slope_by_differences(
      [&](const Vector& at) { return kKernel.value_and_gradient(at, places, weights, unused); }, v);
  EXPECT_LT((gradient - expected).norm(), 1e-8 * expected.norm());
}

TEST(SurrogateKernel, CovariancesAreThoseOfItsGradients) {
  const Matrix places = normal_matrix(3, 5, 1), weights = normal_matrix(3, 5, 2);
  const Matrix covariances = kKernel.gradient_covariances(places);
  EXPECT_EQ(covariances, covariances.transpose());
  const Vector together = covariances * weights.reshaped();
  for (Index i = 0; i < places.cols(); ++i) {
    Vector gradient(3);
    kKernel.value_and_gradient(places.col(i), places, weights, gradient);
    EXPECT_LT((together.segment(3 * i, 3) - gradient).norm(), 1e-12 * together.norm()) << i;
  }
}

TEST(Whitening, GradientsMeetDifferencesOfTheDensityInItsCoordinates) {
  const SkewedDensity density;
  const Whitening whitening(Coordinates(Vector{{0.1, -0.2, 0}}, Vector{{0.2, 0, -0.1}}),
                            Vector{{0.05, 0, 0.1}},
                            Matrix{{0.8, 0, 0}, {0.3, 1.1, 0}, {-0.2, 0, 0.5}});
  const Vector v{{0.4, -0.7, 0.9}};
  const Vector expected = slope_by_differences(
      [&](const Vector& at) {
        return density.evaluate(whitening.psi(at)).value + whitening.log_slope(at);
      },
      v);
  const Vector gradient = whitening.gradient(lesson_at(density, whitening.psi(v)));
  EXPECT_LT((gradient - expected).norm(), 1e-7 * expected.norm());
  EXPECT_LT((whitening.v(whitening.psi(v)) - v).norm(), 1e-12);
}

Surrogate learnt_from(Index count, double noise = 0) {
  const SkewedDensity density;
  Lessons lessons;
  for (Index i = 0; i < count; ++i) {
    const Vector v = 1.5 * normal_matrix(3, 1, static_cast<unsigned>(100 + i));
    lessons.push_back(lesson_at(density, v));
    lessons.back().gradient += noise * normal_matrix(3, 1, static_cast<unsigned>(500 + i));
    lessons.back().noise = noise * noise * Matrix::Identity(3, 3);
  }
  return fit_surrogate(density.whitening(), lessons, {});
}

double error_at_draws(const Surrogate& surrogate) {
  const SkewedDensity density;
  const Matrix draws = draws_of(surrogate, 50, 9, 1);
  double sum = 0;
  for (Index i = 0; i < draws.cols(); ++i) {
    const Vector v = draws.col(i);
    sum += (surrogate.log_density_and_gradient(v).gradient - density.evaluate(v).gradient)
               .squaredNorm();
  }
  return std::sqrt(sum / static_cast<double>(draws.cols()));
}

TEST(Surrogate, GradientsMeetDifferencesWithinItsReachAndBeyond) {
  const Surrogate surrogate = learnt_from(20);
  for (const double length : {0.0, 1.0, 3.0, 6.0, 9.0}) {
    const Vector v = length * Vector{{0.6, -0.64, 0.48}};
    const Vector expected =
        slope_by_differences([&](const Vector& at) { return surrogate.log_density(at).value; }, v);
    EXPECT_LT((surrogate.log_density_and_gradient(v).gradient - expected).norm(),
              3e-6 * (1 + expected.norm()))  // of differences
        << length;
  }
}

TEST(Surrogate, FallsLikeAGaussianFarAway) {
  const Surrogate surrogate = learnt_from(20);
  const Vector axis{{0.6, -0.64, 0.48}};
  EXPECT_NEAR(axis.dot(surrogate.log_density_and_gradient(50 * axis).gradient), -50, 1e-6);
}

TEST(Surrogate, LearnsWithMoreGradients) {
  const double few = error_at_draws(learnt_from(8)), many = error_at_draws(learnt_from(40));
  EXPECT_LT(many, 0.02);
  EXPECT_LT(many, few / 3);
}

// The mean of noise over what 60 gradients have to say, not the noise itself.
TEST(Surrogate, TakesNoiseForNoise) {
  const double noise = 0.1;
  EXPECT_LT(error_at_draws(learnt_from(60, noise)), 0.8 * noise * std::sqrt(3.0));
}

TEST(Surrogate, WithoutGradientsIsTheGaussian) {
  const SkewedDensity density;
  const Surrogate surrogate = fit_surrogate(density.whitening(), {}, {});
  const Vector v{{1, 2, -1}};
  EXPECT_EQ(surrogate.log_density(v).value, -3);
  EXPECT_EQ(surrogate.log_density_and_gradient(v).gradient, -v);
}

}  // namespace
}  // namespace ulisse
