#pragma once

#include <string>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/shape.h"
#include "ulisse/types.h"

namespace ulisse {

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

}  // namespace ulisse
