#include "kernel/packed_block.h"

namespace ulisse {

namespace {

Index padded(Index columns) {
  return (columns + simd::kColumnPad - 1) / simd::kColumnPad * simd::kColumnPad;
}

double scaled(double value, double scale) { return scale == 0 ? 0 : value / scale; }

}  // namespace

template <class T>
PackedRows<T>::PackedRows(const ConstBlock& x)
    : rows_(x.rows()),
      columns_(padded(x.cols())),
      scale_(column_scales(x)),
      data_(static_cast<std::size_t>(tiles_for(x.rows()) * simd::kTile * columns_)) {
  for_rows(x.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index i = first; i < last; ++i) {
        data_[i * columns_ + c] = static_cast<T>(scaled(x(i, c), scale_[c]));
      }
    }
  });
}

template <class T>
PackedColumns<T>::PackedColumns(const ConstBlock& x, const std::vector<double>& scales)
    : columns_(x.cols()),
      data_(static_cast<std::size_t>(tiles_for(x.rows()) * simd::kTile * columns_)) {
  for_rows(x.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      for (Index i = first; i < last; ++i) {
        const Index offset = ((i / simd::kTile) * columns_ + c) * simd::kTile + i % simd::kTile;
        data_[offset] = static_cast<T>(scaled(x(i, c), scales[c]));
      }
    }
  });
}

template class PackedRows<double>;
template class PackedRows<float>;
template class PackedColumns<double>;
template class PackedColumns<float>;

}  // namespace ulisse
