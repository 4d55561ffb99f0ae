#pragma once

#include <Eigen/Cholesky>
#include <utility>

#include "sample/chain.h"
#include "sample/coordinates.h"

namespace ulisse {

// The log density of psi, up to a constant, of the Gaussian around the mode that a sampler's steps
// are scaled by: -(u - c)' M^-1 (u - c) / 2 - sum log(d psi / d u), in the coordinates u that
// chains move in. For samplers that never compute the density itself.
class ApproximateDensity {
 public:
  ApproximateDensity(Coordinates coordinates, Vector centre, const Matrix& metric)
      : coordinates_(std::move(coordinates)), centre_(std::move(centre)), factor_(metric.llt()) {}

  double at(const Vector& psi) const {
    const Vector u = coordinates_.u(psi);
    const Vector whitened = factor_.matrixL().solve(u - centre_);
    return -0.5 * whitened.squaredNorm() - coordinates_.slope(u).array().log().sum();
  }

 private:
  Coordinates coordinates_;
  Vector centre_;
  Eigen::LLT<Matrix> factor_;
};

// A chain of such a sampler, whose transitions have that density.
template <Sampler S>
class ApproximatedChainOf : public ChainOf<S> {
 public:
  template <class... Arguments>
  explicit ApproximatedChainOf(ApproximateDensity density, Arguments&&... arguments)
      : ChainOf<S>(std::forward<Arguments>(arguments)...), density_(std::move(density)) {}

  Transition step(Rng& rng) override {
    Transition made = ChainOf<S>::step(rng);
    made.log_density = density_.at(made.psi);
    made.energy = -made.log_density;
    return made;
  }

 private:
  ApproximateDensity density_;
};

}  // namespace ulisse
