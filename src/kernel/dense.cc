#include "kernel/dense.h"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "kernel/backends.h"
#include "kernel/tiled_columns.h"
#include "kernel/tiled_gradient.h"
#include "kernel/tiled_product.h"

namespace ulisse {

template <class T>
void DenseOperator<T>::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  apply_split(x, y, undivided());
}

template <class T>
void DenseOperator<T>::apply_split(const ConstBlock& x, Block y, const Split& split) const {
  tiled_product<T>(
      variance(), x, y,
      [&](Index i, Index j, T* scratch) {
        kernel_.values(i, j, scratch);
        return scratch;
      },
      split);
}

template <class T>
Vector DenseOperator<T>::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  return forms_split(u, v, false, undivided());
}

template <class T>
Matrix DenseOperator<T>::gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  return forms_split(u, v, true, undivided());
}

template <class T>
Matrix DenseOperator<T>::forms_split(const ConstBlock& u, const ConstBlock& v, bool by_column,
                                     const Split& split) const {
  std::vector<OuterWeights<T>> weights;
  if (!by_column) weights.emplace_back(u, v);
  for (Index c = 0; by_column && c < u.cols(); ++c) weights.emplace_back(u.col(c), v.col(c));
  return tiled_contractions(kernel_, weights, TilePairs{kernel_.tiles(), split.share}, split.add);
}

template <class T>
void DenseOperator<T>::columns(const Indices& which, Block out) const {
  check_columns(size(), which, out);
  tiled_columns(kernel_, kernel_.select(which), out);
}

// Besides that of values: sums within a tile of 48 of them, right-hand sides rounded to float, 50
// eps more of |k| |x|.
template <class T>
double DenseOperator<T>::error_bound() const {
  if constexpr (sizeof(T) == 8) return 0;
  constexpr double kOfSums = 50 * std::numeric_limits<float>::epsilon();
  return kernel_.error_bound() + variance() * kOfSums;
}

template class DenseOperator<double>;
template class DenseOperator<float>;

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
            return build_on_points<DenseOperator<double>>(kernel, x);
          }};
}

Backend dense_float_backend() {
  return {.name = kInFloat,
          .can = {.in_double = false},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&) {
            return build_on_points<DenseOperator<float>>(kernel, x);
          }};
}

}  // namespace ulisse
