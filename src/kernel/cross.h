#pragma once

#include "ulisse/kernel.h"
#include "ulisse/types.h"

namespace ulisse {

// The covariance of a set of points with points elsewhere, for every psi of the kernel. No noise: a
// new point is a new observation even where it has the inputs of an old one.
class CrossCovariance {
 public:
  CrossCovariance(const Kernel& kernel, const ConstBlock& x);  // x: (n, d)

  // out = k(x, new_x), (n, m). Throws std::invalid_argument when shapes do not fit.
  void at(const ConstVector& psi, const ConstBlock& new_x, Block out) const;

  Index size() const { return x_.rows(); }

 private:
  Kernel kernel_;
  Eigen::RowVectorXd centre_;
  Matrix x_;  // minus the centre, so that coordinates keep their digits
};

}  // namespace ulisse
