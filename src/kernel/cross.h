#pragma once

#include "kernel/kernel_points.h"
#include "ulisse/kernel.h"
#include "ulisse/types.h"

namespace ulisse {

// The covariance of a set of points with points elsewhere, for every psi of the kernel. No noise: a
// new point is a new observation even where it has the inputs of an old one.
class CrossCovariance {
 public:
  CrossCovariance(const Kernel& kernel, const ConstBlock& x);  // x: (n, d), n > 0

  // out = k(x, new_x), (n, m), of the chosen terms; none: of all. Throws std::invalid_argument when
  // shapes do not fit.
  void at(const ConstVector& psi, const ConstBlock& new_x, Block out,
          const Indices& terms = {}) const;

  Index size() const { return points_.size(); }

 private:
  Index dimensions_;
  KernelPoints points_;
};

}  // namespace ulisse
