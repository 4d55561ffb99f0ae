#pragma once

#include "ulisse/random.h"
#include "ulisse/types.h"

namespace ulisse {

// Hamiltonian Monte Carlo's dense mass matrix, by its inverse Sigma, which is best near the
// posterior's covariance: momenta p ~ N(0, Sigma^-1), kinetic energy p' Sigma p / 2.
class DenseMetric {
 public:
  // Throws std::invalid_argument unless the covariance is positive definite.
  explicit DenseMetric(const Matrix& covariance);

  const Matrix& covariance() const { return covariance_; }
  Vector velocity(const Vector& momentum) const { return covariance_ * momentum; }
  double kinetic_energy(const Vector& momentum) const {
    return 0.5 * momentum.dot(velocity(momentum));
  }
  Vector draw_momentum(Rng& rng) const;

  template <class A>
  void archive(A& a) {
    a(covariance_, factor_);
  }

 private:
  Matrix covariance_;
  Matrix factor_;  // lower triangular L, L L' = Sigma
};

// The lower Cholesky factor. Throws std::invalid_argument unless `covariance` is square, finite and
// positive definite.
Matrix covariance_factor(const Matrix& covariance);

}  // namespace ulisse
