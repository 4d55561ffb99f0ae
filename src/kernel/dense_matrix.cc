#include "kernel/dense_matrix.h"

#include <algorithm>

#include "kernel/bands.h"

namespace ulisse {

namespace {

template <class T>
void fill(const TiledKernel<T>& k, Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& result) {
  using TileMap =
      Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, Eigen::Aligned64>;
  const Index n = k.size(), tile = simd::kTile;
  const auto sigma = static_cast<T>(k.variance());
  result.resize(n, n);
  for_each_tile_pair(k.tiles(), [&](Index i, Index j, Index) {
    alignas(64) T values[simd::kTileSize];
    const Index row = std::max(i, j), column = std::min(i, j);
    // Tiles are row-major and the matrix is column-major: tile (column, row) is the transpose we
    // want.
    k.values(column, row, values);
    const Index rows = std::min(tile, n - row * tile), columns = std::min(tile, n - column * tile);
    result.block(row * tile, column * tile, rows, columns) =
        sigma * TileMap(values, tile, tile).topLeftCorner(rows, columns);
  });
}

}  // namespace

void lower_matrix(const DenseOperator<double>& kernel, Matrix& result) {
  fill(kernel.kernel(), result);
}
void lower_matrix(const DenseOperator<float>& kernel, Eigen::MatrixXf& result) {
  fill(kernel.kernel(), result);
}

}  // namespace ulisse
