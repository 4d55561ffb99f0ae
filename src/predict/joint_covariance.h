#pragma once

#include "ulisse/kernel.h"
#include "ulisse/types.h"

// The covariance of f at new points together, given the data: k(new, new) - k(new, x) K^-1 k(x,
// new). Two ways to the second term. Results are symmetric to the last bit.
namespace ulisse {

// k(new, new) - v'v, where v is L^-1 k(x, new) and L L' = K. As exact as L: a factor in float
// leaves errors of either sign that are nothing beside each variance, but as large as the variances
// of differences between points that are close to each other.
Matrix covariance_by_factor(const Kernel& kernel, const ConstVector& psi, const ConstBlock& new_x,
                            const Matrix& whitened);

// Solutions s near K^-1 k(x, new), and with their residuals r = k(x, new) - K s the sum
// k(x, new) + r. The result is too large by r'K^-1 r: a covariance again, and of the second order.
Matrix covariance_by_solutions(const Kernel& kernel, const ConstVector& psi,
                               const ConstBlock& new_x, const Matrix& solutions,
                               const Matrix& right_sides_and_residuals);

}  // namespace ulisse
