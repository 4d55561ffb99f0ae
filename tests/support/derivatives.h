#pragma once

#include <boost/math/differentiation/finite_difference.hpp>
#include <functional>

#include "ulisse/types.h"

namespace ulisse::testing {

// Central differences of order 6: some 1e-12 off for smooth functions of scale 1.
template <class F>
double derivative(const F& f, double x) {
  return boost::math::differentiation::finite_difference_derivative<F, double, 6>(f, x);
}

// The gradient of f at x, one coordinate after the other.
inline Vector gradient_of(const std::function<double(const Vector&)>& f, const Vector& x) {
  Vector gradient(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const auto along = [&](double value) {
      Vector moved = x;
      moved(i) = value;
      return f(moved);
    };
    gradient(i) = derivative(along, x(i));
  }
  return gradient;
}

}  // namespace ulisse::testing
