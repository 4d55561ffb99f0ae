#pragma once

#include "ulisse/exact.h"
#include "ulisse/surrogate_kernel.h"
#include "ulisse/whitening.h"

namespace ulisse {

// A log posterior learnt from gradients: log p(v) = -|v|^2 / 2 + h(v) in whitened coordinates, h
// the mean of a Gaussian process given its gradients at some places. A target for exact samplers,
// who take microseconds for each evaluation. Beyond the reach of its places h stays what it is
// where a line from the centre leaves them, so that the density falls like a Gaussian's there.
class Surrogate {
 public:
  Surrogate() = default;
  // The Gaussian alone, with no gradients learnt.
  explicit Surrogate(Whitening whitening);
  // places, weights: (parameters, count); see SurrogateKernel.
  Surrogate(Whitening whitening, const SurrogateKernel& kernel, Matrix places, Matrix weights);

  // Of v, but for a constant.
  LogDensity log_density(const Vector& v) const { return log_density_and_gradient(v); }
  LogDensity log_density_and_gradient(const Vector& v) const;

  // The curvature -d^2 log p(v) / dv^2, by differences of gradients.
  Matrix information(const Vector& v) const;

  Vector psi(const Vector& v) const { return whitening_.psi(v); }
  // The log density of psi, given that of v.
  double of_psi(const Vector& v, double log_density) const {
    return log_density - whitening_.log_slope(v);
  }

  const Whitening& whitening() const { return whitening_; }
  const SurrogateKernel& kernel() const { return kernel_; }
  Index gradients() const { return places_.cols(); }  // that it has learnt from
  bool is_of(Index parameters) const;

  template <class A>
  void archive(A& a) {
    a(whitening_, kernel_, places_, weights_, reach_);
  }

 private:
  Whitening whitening_;
  SurrogateKernel kernel_;
  Matrix places_, weights_;
  double reach_ = 0;
};

}  // namespace ulisse
