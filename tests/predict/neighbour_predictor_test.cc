// Variances given the nearest rows, against those given all of them.

#include "predict/neighbour_predictor.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

struct Map {
  explicit Map(const std::string& kernel, Index d, double tau, bool trend = false)
      : x(normal_matrix(900, d, 1)), new_x(normal_matrix(50, d, 2)) {
    Dataset data{.x = x, .y = normal_matrix(900, 1, 3), .target = "y"};
    for (Index j = 0; j < d; ++j) data.features.push_back("x" + std::to_string(j + 1));
    y = data.y;
    ModelOptions options{.kernel = kernel};
    if (trend) options.trend = {"x1"};
    model = make_model(options, data);
    psi = Vector{{0, std::log(tau), std::log(0.05)}};
  }

  PredictorOptions options(bool latent = false) const {
    return {.points = some_rows(new_x), .latent = latent};
  }

  Matrix x, new_x;
  Vector y, psi;
  Model model;
};

void expect_near_solves(const Map& map, bool latent) {
  NeighbourPredictor found(map.model, map.x, map.y, map.options(latent));
  IterativePredictor solved(map.model, map.x, map.y, map.options(latent));
  for (const double shift : {0.0, 0.1, -0.1}) {
    const Vector psi = map.psi.array() + shift;
    found.condition(psi);
    solved.condition(psi);
    EXPECT_EQ(found.name(), "neighbours");
    EXPECT_LT(found.variance_error(), 0.01);
    const Moments a = found.moments(map.new_x), b = solved.moments(map.new_x);
    const double noise = std::exp(psi(2));
    for (Index i = 0; i < a.mean.size(); ++i) {
      EXPECT_NEAR(a.mean(i), b.mean(i), 1e-6) << i;
      // Measured at 16 of them.
      EXPECT_LE(a.variance(i), b.variance(i) + 0.02 * (latent ? b.variance(i) : noise)) << i;
      EXPECT_GE(a.variance(i), b.variance(i) - 1e-3 * noise) << i;
    }
  }
}

TEST(NeighbourPredictor, OnAMapTheNearestRowsSayWhatAllDo) {
  expect_near_solves(Map("matern32", 2, 2), false);
  expect_near_solves(Map("matern12", 2, 2), false);
  expect_near_solves(Map("matern32", 2, 2), true);
}

TEST(NeighbourPredictor, TheTrendsUncertaintyIsThere) {
  const Map map("matern12", 2, 2, true);
  expect_near_solves(map, false);
  NeighbourPredictor found(map.model, map.x, map.y, map.options());
  IterativePredictor solved(map.model, map.x, map.y, map.options());
  found.condition(map.psi);
  solved.condition(map.psi);
  const Matrix far = Matrix::Constant(2, 2, 50);
  EXPECT_NEAR(found.moments(far).variance(0), solved.moments(far).variance(0), 1e-6);
}

// All rows say a little of a smooth function of many inputs.
TEST(NeighbourPredictor, SolvesWhereNeighboursDoNotDo) {
  const Map map("rbf", 8, 0.01);
  NeighbourPredictor found(map.model, map.x, map.y, map.options());
  IterativePredictor solved(map.model, map.x, map.y, map.options());
  found.condition(map.psi);
  solved.condition(map.psi);
  EXPECT_EQ(found.name(), "iterative");
  EXPECT_EQ(found.moments(map.new_x).variance, solved.moments(map.new_x).variance);
}

// A sum may be known from near by, and how it splits not: terms take solves.
TEST(NeighbourPredictor, SingleTermsTakeSolves) {
  Map map("matern32", 2, 2);
  Dataset data{.x = map.x, .y = map.y, .features = {"a", "b"}, .target = "y"};
  map.model = make_model(ModelOptions{.kernel = "matern32(a,b) + matern12(a,b)"}, data);
  map.psi = Vector{{0, 0.7, -1, 1.5, std::log(0.05)}};
  NeighbourPredictor found(map.model, map.x, map.y, map.options());
  IterativePredictor solved(map.model, map.x, map.y, map.options());
  found.condition(map.psi);
  solved.condition(map.psi);
  EXPECT_EQ(found.name(), "neighbours");
  for (const auto& [name, part] : components_of(map.model)) {
    EXPECT_EQ(found.moments(map.new_x, part).variance, solved.moments(map.new_x, part).variance)
        << name;
  }
}

// The rows around a hole say much of what is in it, and these are many.
TEST(NeighbourPredictor, PointsInAHoleAreNotMissed) {
  Map map("matern32", 2, 1);
  for (Index i = 0; i < map.x.rows(); ++i) {
    if (map.x.row(i).norm() < 1.2) map.x.row(i) *= 1.2 / map.x.row(i).norm() + 0.2;
  }
  map.psi(2) = std::log(0.01);
  map.new_x.row(7) = RowVector::Zero(2);  // none of those that are compared
  NeighbourPredictor found(map.model, map.x, map.y, map.options());
  IterativePredictor solved(map.model, map.x, map.y, map.options());
  found.condition(map.psi);
  solved.condition(map.psi);
  EXPECT_EQ(found.name(), "neighbours");
  const Vector a = found.moments(map.new_x).variance, b = solved.moments(map.new_x).variance;
  EXPECT_LE((a - b).maxCoeff(), 0.03 * 0.01);
  EXPECT_GT(b(7), 0.01) << "there is a hole";
}

}  // namespace
}  // namespace ulisse
