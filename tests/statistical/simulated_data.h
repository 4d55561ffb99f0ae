#pragma once

#include <Eigen/Cholesky>
#include <cmath>

#include "support/concrete.h"
#include "support/random_points.h"
#include "ulisse/exact.h"
#include "ulisse/random.h"

namespace ulisse::testing {

// Data from the model itself: theta from its Gamma(1, 1) priors, y from the Gaussian process.
struct SimulatedData {
  Vector psi;  // the truth
  Matrix x;
  Vector y;
};

inline SimulatedData simulate_data(const Model& model, Index n, std::uint64_t seed) {
  Rng rng = stream(seed, 0, Purpose::simulation);
  SimulatedData data;
  data.x = normal_matrix(n, model.dimensions, 1);
  data.psi.resize(model.parameter_count());
  for (double& psi : data.psi) psi = std::log(-std::log(rng.uniform()));
  const auto covariance = make_covariance(model.kernel, data.x, {.backend = "reference"});
  const Eigen::LLT<Matrix> factor(as_matrix(*covariance->at(data.psi)));
  data.y = factor.matrixL() * rng.normal_vector(n);
  return data;
}

}  // namespace ulisse::testing
