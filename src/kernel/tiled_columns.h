#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "kernel/tiled_points.h"

namespace ulisse {

// out(i, j) = sigma * shape between point i of `points` and point j of `chosen`, which must have
// been scaled alike.
template <class T>
void tiled_columns(Shape shape, double sigma, const TiledPoints<T>& points,
                   const TiledPoints<T>& chosen, Block out) {
  const auto& ops = simd::tile_ops<T>();
  tbb::parallel_for(Index(0), points.tiles(), [&](Index j) {
    alignas(64) T k[simd::kTileSize];
    const Index rows = std::min(simd::kTile, points.size() - j * simd::kTile);
    for (Index i = 0; i < chosen.tiles(); ++i) {
      ops.values(shape, points.dimensions(), chosen.tile(i), points.tile(j), k);
      const Index count = std::min(simd::kTile, chosen.size() - i * simd::kTile);
      using Tile =
          Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, Eigen::Aligned64>;
      const Tile tile(k, simd::kTile, simd::kTile);  // column a holds chosen point a
      out.block(j * simd::kTile, i * simd::kTile, rows, count) =
          sigma * tile.topLeftCorner(rows, count).template cast<double>();
    }
  });
}

}  // namespace ulisse
