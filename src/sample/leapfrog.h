#pragma once

#include <limits>

#include "sample/dense_metric.h"
#include "sample/targets.h"

namespace ulisse {

// A position with its momentum, and the log density and its gradient at the position. At a rejected
// position the log density is -infinity and the gradient is of no use.
struct PhasePoint {
  Vector psi, momentum, gradient;
  double log_density;

  bool rejected() const { return log_density == -std::numeric_limits<double>::infinity(); }
  double energy(const DenseMetric& metric) const {
    return metric.kinetic_energy(momentum) - log_density;
  }

  template <class A>
  void archive(A& a) {
    a(psi, momentum, gradient, log_density);
  }
};

template <DensityTarget Target>
PhasePoint at_rest(const Target& target, const Vector& psi) {
  LogDensity density = accepted_start(target.log_density_and_gradient(psi));
  return {psi, Vector::Zero(psi.size()), std::move(density.gradient), density.value};
}

// Half a step in momentum, a step in psi, half a step in momentum; overwrites z. Reversible, keeps
// volumes, and errs in energy by O(step^2). A negative step goes back in time.
template <DensityTarget Target>
void leapfrog(const Target& target, const DenseMetric& metric, double step, PhasePoint& z) {
  z.momentum += 0.5 * step * z.gradient;
  z.psi += step * metric.velocity(z.momentum);
  LogDensity density = target.log_density_and_gradient(z.psi);
  z.log_density = density.rejected() ? -std::numeric_limits<double>::infinity() : density.value;
  if (z.rejected()) return;
  z.gradient = std::move(density.gradient);
  z.momentum += 0.5 * step * z.gradient;
}

}  // namespace ulisse
