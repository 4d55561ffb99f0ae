#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "base/aligned.h"
#include "kernel/simd/tiles.h"
#include "kernel/tiled_points.h"
#include "ulisse/types.h"

namespace ulisse {

// Calls f(first, last) for pieces of the rows 0, ..., n - 1 that stay in a cache, on all threads.
template <class F>
void for_rows(Index n, const F& f) {
  constexpr Index kPiece = 1024;
  tbb::parallel_for(Index(0), (n + kPiece - 1) / kPiece,
                    [&](Index piece) { f(piece * kPiece, std::min(n, (piece + 1) * kPiece)); });
}

// Right-hand sides as simd::TileOps::multiply reads them: row-major, rows padded to whole tiles and
// columns to simd::kColumnPad with zeros. Each column is divided by a power of two near its largest
// element, so that tiny residuals and huge targets survive float; scale(c) is that power.
template <class T>
class PackedRows {
 public:
  explicit PackedRows(const ConstBlock& x);
  Index columns() const { return columns_; }
  const T* tile(Index t) const { return data_.data() + t * simd::kTile * columns_; }
  double scale(Index c) const { return scale_[c]; }

 private:
  Index columns_;
  std::vector<double> scale_;
  AlignedVector<T> data_;
};

// The same block column by column within a tile, as simd::TileOps::outer reads it.
template <class T>
class PackedColumns {
 public:
  // Column c is divided by scales[c], or is 0 where that is 0.
  PackedColumns(const ConstBlock& x, const std::vector<double>& scales);
  const T* tile(Index t) const { return data_.data() + t * simd::kTile * columns_; }

 private:
  Index columns_;
  AlignedVector<T> data_;
};

// For each column the power of two just below its largest element, 0 for a column of zeros.
std::vector<double> column_scales(const ConstBlock& x);

// Sums in double in the layout of PackedRows.
class RowSums {
 public:
  RowSums(Index n, Index padded_columns)
      : columns_(padded_columns),
        data_(static_cast<std::size_t>(tiles_for(n) * simd::kTile * columns_)) {}
  double* tile(Index t) { return data_.data() + t * simd::kTile * columns_; }
  double operator()(Index i, Index c) const { return data_[i * columns_ + c]; }

 private:
  Index columns_;
  AlignedVector<double> data_;
};

extern template class PackedRows<double>;
extern template class PackedRows<float>;
extern template class PackedColumns<double>;
extern template class PackedColumns<float>;

}  // namespace ulisse
