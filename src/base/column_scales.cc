#include "base/column_scales.h"

#include <cmath>

namespace ulisse {

std::vector<double> column_scales(const ConstBlock& x) {
  std::vector<double> scales(static_cast<std::size_t>(x.cols()), 0.0);
  for (Index c = 0; c < x.cols(); ++c) {
    const double largest = x.col(c).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (largest > 0) scales[c] = std::ldexp(1.0, std::ilogb(largest));
    if (!std::isfinite(largest)) scales[c] = 1;
  }
  return scales;
}

}  // namespace ulisse
