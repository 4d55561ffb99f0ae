#pragma once

#include "ulisse/types.h"

namespace ulisse {

// How covariance falls with distance. With s = sum_k tau_k (x_k - x'_k)^2:
//   rbf       exp(-s)
//   matern12  exp(-a),                  a = sqrt(s)
//   matern32  (1 + a) exp(-a),          a = sqrt(3 s)
//   matern52  (1 + a + a^2/3) exp(-a),  a = sqrt(5 s)
enum class Shape { rbf, matern12, matern32, matern52 };

// A shape at s, and its derivative with respect to s. The slope of matern12 is infinite at 0; it is
// always multiplied by a squared difference that is 0 there, so 0 is returned instead.
ValueAndSlope evaluate(Shape shape, double s);

// The length scale along an input, measured in units of which tau's are `unit`: the l of
// exp(-r^2 / (2 l^2)) for rbf, and of the Matern kernels as they are usually written.
double length_scale(Shape shape, double tau, double unit = 1);

}  // namespace ulisse
