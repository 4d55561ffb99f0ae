#include "kernel/opencl/opencl_operator.h"

#include <limits>

#include "kernel/dense.h"
#include "kernel/tiled_gradient.h"

namespace ulisse::opencl {

namespace {

// Programs with more sums in registers than this would keep them in memory.
constexpr Index kMostSums = 36;

// Calls f(first, count) for blocks of columns that programs are made for.
template <class F>
void for_blocks(Index columns, Index widest, const F& f) {
  for (Index c = 0; c < columns; c += widest) f(c, std::min(widest, columns - c));
}

// Powers of two: u_c / u[c] and v_c / v[c] are near 1 and below, and their forms times `common`
// what is wanted. Columns that are added up need one factor for all.
struct FormScales {
  std::vector<double> u, v, common;

  FormScales(const ConstBlock& left, const ConstBlock& right, bool by_column)
      : u(column_scales(left)), v(column_scales(right)), common(u.size()) {
    double largest = 0;
    for (std::size_t c = 0; c < u.size(); ++c) {
      common[c] = u[c] * v[c];
      largest = std::max(largest, common[c]);
    }
    for (std::size_t c = 0; c < u.size(); ++c) {
      if (!by_column) common[c] = largest;
      if (u[c] == 0 || v[c] == 0) {
        v[c] = 0;
      } else if (!by_column) {
        v[c] = largest / u[c];
      }
    }
  }
};

}  // namespace

template <class T>
void OpenClOperator<T>::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  for_blocks(x.cols(), kWidestBlock, [&](Index first, Index count) {
    apply_to_block(x.middleCols(first, count), y.middleCols(first, count));
  });
}

template <class T>
void OpenClOperator<T>::apply_to_block(const ConstBlock& x, Block y) const {
  const int width = block_width(x.cols());
  const std::vector<double> scales = column_scales(x);
  const std::vector<T> v = packed_rows<T>(x, scales, width, kernel_.tiles() * simd::kTile);
  const Sums<T> sums = on_devices_.product(width, v);
  for_rows(size(), [&](Index first, Index last) {
    for (Index c = 0; c < y.cols(); ++c) {
      const double factor = variance() * scales[static_cast<std::size_t>(c)];
      for (Index i = first; i < last; ++i) y(i, c) = factor * sums(i, c);
    }
  });
}

template <class T>
Matrix OpenClOperator<T>::sums_of_forms(const ConstBlock& u, const ConstBlock& v,
                                        bool by_column) const {
  const Index count = sums_of(kernel_);
  const int width = block_width(u.cols());
  const FormScales scales(u, v, by_column);
  const auto left = packed_columns<T>(u, scales.u, width, on_devices_.padded_rows());
  const auto right = packed_rows<T>(v, scales.v, width, kernel_.tiles() * simd::kTile);
  const Sums<T> sums = on_devices_.forms(width, left, right, by_column);
  Matrix total = Matrix::Zero(count, by_column ? u.cols() : 1);
  for (Index c = 0; c < total.cols(); ++c) {
    for (Index s = 0; s < count; ++s) {
      double sum = 0;
      for (Index i = 0; i < size(); ++i) sum += sums(i, c * count + s);
      total(s, c) = scales.common[static_cast<std::size_t>(c)] * sum;
    }
  }
  return total;
}

template <class T>
Vector OpenClOperator<T>::by_parameter(const ConstVector& sums) const {
  return variance() * ContractionSums<T>(kernel_).by_parameter(sums);
}

template <class T>
Vector OpenClOperator<T>::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  Vector sums = Vector::Zero(sums_of(kernel_));
  for_blocks(u.cols(), kWidestBlock, [&](Index first, Index count) {
    sums += sums_of_forms(u.middleCols(first, count), v.middleCols(first, count), false).col(0);
  });
  return by_parameter(sums);
}

template <class T>
Matrix OpenClOperator<T>::gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  Matrix result(kernel_.parameter_count(), u.cols());
  const Index widest = 8 * sums_of(kernel_) <= kMostSums ? 8 : 4;
  for_blocks(u.cols(), widest, [&](Index first, Index count) {
    const Matrix sums = sums_of_forms(u.middleCols(first, count), v.middleCols(first, count), true);
    for (Index c = 0; c < count; ++c) result.col(first + c) = by_parameter(sums.col(c));
  });
  return result;
}

template <class T>
void OpenClOperator<T>::columns(const Indices& which, Block out) const {
  check_columns(size(), which, out);
  constexpr Index kAtATime = 1024;
  for_blocks(out.cols(), kAtATime, [&](Index first, Index count) {
    const Indices chosen(which.begin() + first, which.begin() + first + count);
    const Sums<T> values = on_devices_.columns(kernel_.select(chosen));
    for_rows(size(), [&](Index begin, Index end) {
      for (Index c = 0; c < count; ++c) {
        for (Index i = begin; i < end; ++i) out(i, first + c) = variance() * values(i, c);
      }
    });
  });
}

// As DenseOperator's, with 50 eps for sums within a tile of 48 and right-hand sides rounded to
// float, and 6 more: OpenCL's square roots and divisions may miss by some units in the last place.
// What tiles added up lose stands beside their sum.
template <class T>
double OpenClOperator<T>::error_bound() const {
  if constexpr (sizeof(T) == 8) return 0;
  constexpr double kOfSums = 56 * std::numeric_limits<float>::epsilon();
  return kernel_.error_bound() + variance() * kOfSums;
}

template class OpenClOperator<double>;
template class OpenClOperator<float>;

}  // namespace ulisse::opencl
