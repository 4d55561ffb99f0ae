#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "support/concrete.h"
#include "support/random_points.h"
#include "ulisse/exact.h"
#include "ulisse/random.h"

namespace ulisse::testing {

// Data from the model itself: theta from Gamma(1, 1) priors, coefficients of the trend from
// theirs, y from the Gaussian process.
struct SimulatedData {
  Vector psi, trend;  // the truth
  Matrix x;
  Vector y;
};

// A trend, a sum, a product, and what is known of each row's noise.
inline Model composite_model() {
  const Dataset table{.x = Matrix(0, 3),
                      .y = Vector(0),
                      .features = {"a", "b", "error"},
                      .target = "y",
                      .known_noise = KnownNoise{.column = 2}};
  ModelOptions options{.kernel = "rbf(a)*matern32(b) + matern52(b)",
                       .priors = {"sigma=gamma(1,1)", "tau=gamma(1,1)", "lambda=gamma(1,1)"},
                       .trend = {"a"}};
  options.trend_scale = 2;
  return make_model(options, table);
}

inline SimulatedData simulate_data(const Model& model, Index n, std::uint64_t seed) {
  Rng rng = stream(seed, 0, Purpose::simulation);
  SimulatedData data;
  data.x = normal_matrix(n, model.dimensions, 1);
  data.psi.resize(model.parameter_count());
  for (double& psi : data.psi) psi = std::log(-std::log(rng.uniform()));
  if (model.noise.known) data.x.col(model.noise.known->column) *= 0.5;
  Model without_trend = model;
  without_trend.mean = {};
  const auto covariance = make_covariance(without_trend, data.x, {.backend = "reference"});
  const Eigen::LLT<Matrix> factor(as_matrix(*covariance->at(data.psi)));
  data.y = factor.matrixL() * rng.normal_vector(n);
  data.trend = model.mean.scale * rng.normal_vector(model.mean.size());
  data.y += model.mean.basis(data.x) * data.trend;
  return data;
}

}  // namespace ulisse::testing
