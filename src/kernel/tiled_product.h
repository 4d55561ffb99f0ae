#pragma once

#include "kernel/bands.h"
#include "kernel/packed_block.h"
#include "kernel/simd/tiles.h"
#include "ulisse/kernel.h"

namespace ulisse {

// y = sigma * shape x, where source(i, j, scratch) gives the tile of shape values for
// a pair of tiles: computed into scratch, or kept somewhere.
template <class T, class Source>
void tiled_product(double sigma, const ConstBlock& x, Block y, const Source& source) {
  const auto& ops = simd::tile_ops<T>();
  const PackedRows<T> v(x);
  RowSums sums(x.rows(), v.columns());
  for_each_tile_pair(tiles_for(x.rows()), [&](Index i, Index j, Index) {
    alignas(64) T scratch[simd::kTileSize];
    const T* k = source(i, j, scratch);
    ops.multiply(k, v.columns(), v.tile(i), v.tile(j), sums.tile(i),
                 i == j ? nullptr : sums.tile(j));
  });
  for_rows(x.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < x.cols(); ++c) {
      const double factor = sigma * v.scale(c);
      for (Index i = first; i < last; ++i) y(i, c) = factor * sums(i, c);
    }
  });
}

}  // namespace ulisse
