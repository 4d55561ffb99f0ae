#include "kernel/dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kernel/backends.h"
#include "kernel/dense_matrix.h"
#include "kernel/tiled_columns.h"
#include "kernel/tiled_gradient.h"
#include "kernel/tiled_product.h"

namespace ulisse {

template <class T>
DenseOperator<T>::DenseOperator(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi)
    : kernel_(kernel),
      parameters_(unpack(kernel, psi, x.cols())),
      points_(x, parameters_, kernel.shape) {}

template <class T>
void DenseOperator<T>::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  const auto& ops = simd::tile_ops<T>();
  tiled_product<T>(parameters_.sigma, x, y, [&](Index i, Index j, T* scratch) {
    ops.values(kernel_.shape, points_.dimensions(), points_.tile(i), points_.tile(j), scratch);
    return scratch;
  });
}

template <class T>
Vector DenseOperator<T>::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  const std::vector<OuterWeights<T>> weights(1, OuterWeights<T>(u, v));
  return tiled_contractions(kernel_, parameters_, points_, weights, AllTilePairs{points_.tiles()});
}

template <class T>
Matrix DenseOperator<T>::gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  std::vector<OuterWeights<T>> weights;
  for (Index c = 0; c < u.cols(); ++c) weights.emplace_back(u.col(c), v.col(c));
  return tiled_contractions(kernel_, parameters_, points_, weights, AllTilePairs{points_.tiles()});
}

template <class T>
void DenseOperator<T>::columns(const Indices& which, Block out) const {
  check_columns(size(), which, out);
  tiled_columns(kernel_.shape, parameters_.sigma, points_, points_.select(which), out);
}

// In float an entry of K/sigma has an error of
//  - coordinates rounded to float, each by at most eps/2 |x|_max and their difference once more:
//  the
//    distance in scaled coordinates has an error of 2 eps |x|_max sqrt(d), and no shape falls
//    faster than 1 per unit of it (rbf: 2^-r^2 falls by at most 0.72; matern12: 2^-r by ln 2;
//    others less);
//  - the squared distance by (d + 2) eps relative, which costs at most (d + 2) eps (t |f'(t)| <=
//  1);
//  - exp2 and the shape's own arithmetic: 8 eps.
// Sums within a tile of 48 values, right-hand sides rounded to float: 50 eps more of |k| |x|.
// eps is the unit roundoff times 2. Coordinates cannot make an entry worse than wrong altogether.
template <class T>
double DenseOperator<T>::error_bound() const {
  if constexpr (sizeof(T) == 8) return 0;
  const double eps = std::numeric_limits<float>::epsilon();
  const auto d = static_cast<double>(points_.dimensions());
  const double coordinates = 2 * eps * points_.largest_coordinate() * std::sqrt(d);
  return parameters_.sigma * (std::min(1.0, coordinates) + (d + 2 + 8 + 50) * eps);
}

template class DenseOperator<double>;
template class DenseOperator<float>;

Vector sigma_alone(const Kernel& kernel, const KernelParameters& parameters) {
  Vector slopes = Vector::Zero(kernel.parameter_count(parameters.tau.size()));
  slopes(0) = parameters.sigma;
  return slopes;
}

void check_apply(Index n, const ConstBlock& x, const Block& y) {
  if (x.rows() != n || y.rows() != n || x.cols() != y.cols()) {
    throw std::invalid_argument(
        fmt::format("an operator of size {} cannot take a {} x {} block to {} x {}", n, x.rows(),
                    x.cols(), y.rows(), y.cols()));
  }
}

void check_forms(Index n, const ConstBlock& u, const ConstBlock& v) {
  if (u.rows() != n || v.rows() != n || u.cols() != v.cols()) {
    throw std::invalid_argument(
        fmt::format("an operator of size {} has no forms of {} x {} and {} x {}", n, u.rows(),
                    u.cols(), v.rows(), v.cols()));
  }
}

void check_columns(Index n, const Indices& which, const Block& out) {
  if (out.rows() != n || out.cols() != static_cast<Index>(which.size())) {
    throw std::invalid_argument(fmt::format("{} columns of size {} do not fit in a {} x {} block",
                                            which.size(), n, out.rows(), out.cols()));
  }
  for (const Index i : which) {
    if (i < 0 || i >= n) throw std::invalid_argument(fmt::format("no column {} of {}", i, n));
  }
}

namespace {

constexpr const char* kInFloat = "dense-float";

}  // namespace

Backend dense_backend() {
  return {.name = "dense",
          .can = {.automatic = true, .same_bits = true, .lower_precision = kInFloat},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return build_on_points<DenseOperator<double>>(kernel, centred(x));
          }};
}

Backend dense_float_backend() {
  return {.name = kInFloat,
          .can = {.in_double = false},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return build_on_points<DenseOperator<float>>(kernel, centred(x));
          }};
}

}  // namespace ulisse
