#pragma once

#include "ulisse/types.h"

namespace ulisse {

// Coordinates u in which a skewed posterior of psi is nearer to a Gaussian: for each parameter the
// power transform u = ((theta/theta*)^k - 1)/k with an exponent of its own, so that psi = psi* at
// u = 0, with slope 1. k = 0 is psi itself; k = 1/3 makes gamma variables nearly normal (Wilson and
// Hilferty 1931). A power would reach theta = 0 at u = -1/k; from 0.3 of the way there on psi is a
// parabola, which joins it smoothly and goes on for ever: a tail exp(psi) is Gaussian in u there.
class Coordinates {
 public:
  Coordinates() = default;
  explicit Coordinates(Vector origin);  // psi itself
  Coordinates(Vector origin, Vector exponents);

  Vector psi(const Vector& u) const;
  Vector u(const Vector& psi) const;
  Vector slope(const Vector& u) const;               // d psi / d u, positive
  Vector log_slope_gradient(const Vector& u) const;  // d log slope / d u

  const Vector& origin() const { return origin_; }
  const Vector& exponents() const { return exponents_; }
  bool is_of(Index parameters) const {
    return origin_.size() == parameters && exponents_.size() == parameters;
  }

  template <class A>
  void archive(A& a) {
    a(origin_, exponents_);
  }

 private:
  Vector origin_, exponents_;
};

}  // namespace ulisse
