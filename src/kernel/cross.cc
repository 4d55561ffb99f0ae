#include "kernel/cross.h"

#include <fmt/format.h>

#include <stdexcept>

#include "kernel/dense_matrix.h"
#include "kernel/tiled_columns.h"

namespace ulisse {

CrossCovariance::CrossCovariance(const Kernel& kernel, const ConstBlock& x) : kernel_(kernel) {
  if (x.rows() == 0) throw std::invalid_argument("a covariance with no points");
  centre_ = medians(x);
  x_ = x.rowwise() - centre_;
}

void CrossCovariance::at(const ConstVector& psi, const ConstBlock& new_x, Block out) const {
  if (new_x.cols() != x_.cols() || out.rows() != x_.rows() || out.cols() != new_x.rows()) {
    throw std::invalid_argument(
        fmt::format("{} x {} points and {} x {} new ones have no {} x {} covariance", x_.rows(),
                    x_.cols(), new_x.rows(), new_x.cols(), out.rows(), out.cols()));
  }
  if (new_x.rows() == 0) return;
  const KernelParameters parameters = unpack(kernel_, psi, x_.cols());
  const TiledPoints<double> points(x_, parameters, kernel_.shape);
  const TiledPoints<double> chosen(new_x.rowwise() - centre_, parameters, kernel_.shape);
  tiled_columns(kernel_.shape, parameters.sigma, points, chosen, out);
}

}  // namespace ulisse
