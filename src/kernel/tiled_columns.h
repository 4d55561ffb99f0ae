#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "kernel/tiled_kernel.h"

namespace ulisse {

// out(i, j) = the kernel between point i of `points` and point j of `chosen`, at the same psi.
template <class T>
void tiled_columns(const TiledKernel<T>& points, const TiledKernel<T>& chosen, Block out) {
  tbb::parallel_for(Index(0), points.tiles(), [&](Index j) {
    alignas(64) T k[simd::kTileSize];
    const Index rows = std::min(simd::kTile, points.size() - j * simd::kTile);
    for (Index i = 0; i < chosen.tiles(); ++i) {
      chosen.values(i, points, j, k);
      const Index count = std::min(simd::kTile, chosen.size() - i * simd::kTile);
      using Tile =
          Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, Eigen::Aligned64>;
      const Tile tile(k, simd::kTile, simd::kTile);  // column a holds chosen point a
      out.block(j * simd::kTile, i * simd::kTile, rows, count) =
          points.variance() * tile.topLeftCorner(rows, count).template cast<double>();
    }
  });
}

}  // namespace ulisse
