#include "kernel/dense_matrix.h"

#include <algorithm>

#include "kernel/bands.h"

namespace ulisse {

Eigen::RowVectorXd medians(const ConstBlock& x) {
  Eigen::RowVectorXd result(x.cols());
  for (Index k = 0; k < x.cols(); ++k) {
    Vector column = x.col(k);
    double* middle = column.data() + column.size() / 2;
    std::nth_element(column.data(), middle, column.data() + column.size());
    result(k) = *middle;
  }
  return result;
}

Matrix centred(const ConstBlock& x) { return x.rowwise() - medians(x); }

namespace {

template <class T>
void fill(const DenseOperator<T>& k, const ConstVector& noise,
          Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>& result) {
  using TileMap =
      Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>, Eigen::Aligned64>;
  const Index n = k.size(), tile = simd::kTile;
  const auto& points = k.points();
  const auto sigma = static_cast<T>(k.parameters().sigma);
  result.resize(n, n);
  for_each_tile_pair(points.tiles(), [&](Index i, Index j, Index) {
    alignas(64) T values[simd::kTileSize];
    const Index row = std::max(i, j), column = std::min(i, j);
    // Tiles are row-major and the matrix is column-major: tile (column, row) is the transpose we
    // want.
    simd::tile_ops<T>().values(k.kernel().shape, points.dimensions(), points.tile(column),
                               points.tile(row), values);
    const Index rows = std::min(tile, n - row * tile), columns = std::min(tile, n - column * tile);
    result.block(row * tile, column * tile, rows, columns) =
        sigma * TileMap(values, tile, tile).topLeftCorner(rows, columns);
  });
  result.diagonal() += noise.cast<T>();
}

}  // namespace

void lower_matrix(const DenseOperator<double>& kernel, const ConstVector& noise, Matrix& result) {
  fill(kernel, noise, result);
}
void lower_matrix(const DenseOperator<float>& kernel, const ConstVector& noise,
                  Eigen::MatrixXf& result) {
  fill(kernel, noise, result);
}

}  // namespace ulisse
