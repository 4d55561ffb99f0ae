#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "sample/targets.h"
#include "ulisse/random.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse::testing {

// N(0, covariance) with gradients of known noise.
class NoisyNormal {
 public:
  NoisyNormal(const Matrix& covariance, double noise)
      : precision_(covariance.inverse()),
        noise_factor_(noise * Matrix(precision_.llt().matrixL())) {}

  GradientEstimate estimate(const Vector& psi, Rng& rng) const {
    GradientEstimate e;
    e.gradient = -precision_ * psi + noise_factor_ * rng.normal_vector(psi.size());
    e.covariance = noise_factor_ * noise_factor_.transpose();
    return e;
  }

 private:
  Matrix precision_, noise_factor_;
};

// log of a Gamma(shape, shape) variable: skewed, with curvature `shape` at its mode, 0.
class LogGamma {
 public:
  explicit LogGamma(double shape) : shape_(shape) {}
  GradientEstimate estimate(const Vector& psi, Rng&) const {
    GradientEstimate e;
    e.gradient = shape_ * (1 - psi.array().exp());
    e.covariance = Matrix::Zero(psi.size(), psi.size());
    return e;
  }

 private:
  double shape_;
};

}  // namespace ulisse::testing
