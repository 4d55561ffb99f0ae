#include "kernel/cross.h"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/tiled_columns.h"

namespace ulisse {

namespace {

KernelPoints points_of(const Kernel& kernel, const ConstBlock& x) {
  if (x.rows() == 0) throw std::invalid_argument("a covariance with no points");
  return {kernel, x};
}

}  // namespace

CrossCovariance::CrossCovariance(const Kernel& kernel, const ConstBlock& x)
    : dimensions_(x.cols()), points_(points_of(kernel, x)) {}

void CrossCovariance::at(const ConstVector& psi, const ConstBlock& new_x, Block out,
                         const Indices& terms) const {
  if (new_x.cols() != dimensions_ || out.rows() != size() || out.cols() != new_x.rows()) {
    throw std::invalid_argument(
        fmt::format("{} x {} points and {} x {} new ones have no {} x {} covariance", size(),
                    dimensions_, new_x.rows(), new_x.cols(), out.rows(), out.cols()));
  }
  if (new_x.rows() == 0) return;
  const TiledKernel<double> points(points_, psi), chosen(points_.others(new_x), psi);
  if (terms.empty()) {
    tiled_columns(points, chosen, out);
  } else {
    tiled_columns(points.only(terms), chosen.only(terms), out);
  }
}

}  // namespace ulisse
