#pragma once

#include <string>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/types.h"

namespace ulisse {

// How covariance falls with distance. With s = sum_k tau_k (x_k - x'_k)^2:
//   rbf       exp(-s)
//   matern12  exp(-a),                  a = sqrt(s)
//   matern32  (1 + a) exp(-a),          a = sqrt(3 s)
//   matern52  (1 + a + a^2/3) exp(-a),  a = sqrt(5 s)
enum class Shape { rbf, matern12, matern32, matern52 };

// sigma * shape(s): the covariance of the function. One tau for all inputs, or one for each (ARD).
struct Kernel {
  Shape shape = Shape::rbf;
  bool ard = false;

  // sigma, tau (or tau.1, ..., tau.d): the order of the kernel's part of psi.
  std::vector<Parameter> parameters(Index d) const;
  Index parameter_count(Index d) const { return ard ? d + 1 : 2; }
};

// "rbf", "rbf-ard", "matern32", ... Throws InputError that lists the names.
Kernel parse_kernel(const std::string& name);
std::string name_of(const Kernel& kernel);

// exp of the kernel's part of psi, taken apart. Throws std::invalid_argument when that has the
// wrong length.
struct KernelParameters {
  double sigma;  // variance of the function
  Vector tau;    // (d), inverse squared length scales; all equal unless ARD
};
KernelParameters unpack(const Kernel& kernel, const ConstVector& psi, Index d);

// A shape at s, and its derivative with respect to s. The slope of matern12 is infinite at 0; it is
// always multiplied by a squared difference that is 0 there, so 0 is returned instead.
ValueAndSlope evaluate(Shape shape, double s);

// The length scale along an input, measured in units of which tau's are `unit`: the l of
// exp(-r^2 / (2 l^2)) for rbf, and of the Matern kernels as they are usually written.
double length_scale(Shape shape, double tau, double unit = 1);

}  // namespace ulisse
