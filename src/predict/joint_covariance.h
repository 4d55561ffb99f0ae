#pragma once

#include "ulisse/types.h"

namespace ulisse {

// The covariance of f at new points together, given the data: prior - a'b + spread'spread,
// symmetric to the last bit. spread is of the trend's coefficients. a'b is k(new, x) K^-1 k(x,
// new), in one of two ways:
//
// By a factor, a = b = L^-1 k(x, new) with L L' = K: as exact as L. A factor in float leaves errors
// of either sign that are nothing beside each variance, but as large as the variances of
// differences between points that are close to each other.
//
// By solutions, b near K^-1 k(x, new), and with their residuals r = k(x, new) - K b the sum
// a = k(x, new) + r. The result is too large by r'K^-1 r: a covariance again, and of the second
// order.
Matrix covariance_given(Matrix prior, const Matrix& a, const Matrix& b, const Matrix& spread);

}  // namespace ulisse
