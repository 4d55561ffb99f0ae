#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "base/aligned.h"
#include "base/column_scales.h"
#include "base/grid.h"
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
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  const T* tile(Index t) const { return data_.data() + t * simd::kTile * columns_; }
  double scale(Index c) const { return scale_[c]; }

 private:
  Index rows_, columns_;
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

// Sums on a grid, in the same layout: the same in whatever order, and in whatever parts, they are
// added up.
class GridSums {
 public:
  // Of products of shapes with PackedRows; a row has at most so many terms.
  GridSums(Index n, Index padded_columns, Index terms)
      : grid_(4 * static_cast<double>(n), terms),
        columns_(padded_columns),
        size_(tiles_for(n) * simd::kTile * columns_),
        words_(static_cast<std::size_t>(2 * size_)) {}

  // Adds sums of the rows of `tiles` tiles from the first on.
  void add(Index first, Index tiles, const double* sums) {
    const Index start = first * simd::kTile * columns_, count = tiles * simd::kTile * columns_;
    simd::tile_ops<double>().add_on_grid(grid_, count, sums, words_.data() + start,
                                         words_.data() + size_ + start);
  }
  double operator()(Index i, Index c) const {
    const Index at = i * columns_ + c;
    return Grid::sum(words_[at], words_[size_ + at]);
  }

  // Those of parts of the work may be added element by element, in any order.
  AlignedVector<double>& words() { return words_; }

 private:
  Grid grid_;
  Index columns_, size_;
  AlignedVector<double> words_;  // high ones, then low ones
};

extern template class PackedRows<double>;
extern template class PackedRows<float>;
extern template class PackedColumns<double>;
extern template class PackedColumns<float>;

}  // namespace ulisse
