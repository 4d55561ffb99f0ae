#pragma once

#include <algorithm>
#include <vector>

#include "kernel/bands.h"
#include "kernel/packed_block.h"
#include "kernel/tiled_points.h"
#include "ulisse/kernel.h"

namespace ulisse {

// Weights W = sum_c (u_c v_c' + v_c u_c')/2 of a contraction, tile by tile. Off the diagonal a tile
// stands for both of its halves, so it holds twice the weight.
template <class T>
class OuterWeights {
 public:
  OuterWeights(const ConstBlock& u, const ConstBlock& v) : OuterWeights(u, v, column_scales(u)) {}

  // w[a, b] for the pair of tiles (i, j), to be multiplied by scale().
  void tile(Index i, Index j, T* w) const {
    simd::tile_ops<T>().outer(columns_, i != j, u_.tile(i), v_.tile(i), u_.tile(j), v_.tile(j), w);
  }
  double scale() const { return scale_; }

 private:
  OuterWeights(const ConstBlock& u, const ConstBlock& v, const std::vector<double>& u_scales)
      : columns_(u.cols()),
        scale_(common_scale(u_scales, column_scales(v))),
        u_(u, u_scales),
        v_(v, remaining_scales(u_scales)) {}

  // Columns are summed, so the products of their scales must be one number.
  static double common_scale(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t c = 0; c < a.size(); ++c) largest = std::max(largest, a[c] * b[c]);
    return largest > 0 ? largest : 1;
  }
  std::vector<double> remaining_scales(std::vector<double> u_scales) const {
    for (double& s : u_scales) s = scale_ / s;  // infinite where u is 0, which makes v 0 too
    return u_scales;
  }

  Index columns_;
  double scale_;
  PackedColumns<T> u_, v_;
};

// sum_ij W_ij dK_ij/dpsi_p for every parameter of the kernel; a column for
// each of several W, which share the kernel's values. pairs.for_each(f) calls f(tile_i, tile_j,
// band) for the pairs of tiles that count, with the guarantees of for_each_tile_pair. Each band
// keeps its own sums, added up in order at the end, so that threads do not change them.
template <class T, class Weights, class Pairs>
Matrix tiled_contractions(const Kernel& kernel, const KernelParameters& parameters,
                          const TiledPoints<T>& points, const std::vector<Weights>& weights,
                          const Pairs& pairs) {
  const auto& ops = simd::tile_ops<T>();
  const Index d = points.dimensions(), count = kernel.ard ? d + 1 : 2;
  const auto columns = static_cast<Index>(weights.size());
  Matrix sums = Matrix::Zero(count * columns, pairs.bands());
  pairs.for_each([&](Index i, Index j, Index band) {
    alignas(64) T k[simd::kTileSize], s[simd::kTileSize], w[simd::kTileSize];
    ops.slopes(kernel.shape, d, !kernel.ard, points.tile(i), points.tile(j), k, s);
    for (Index c = 0; c < columns; ++c) {
      weights[c].tile(i, j, w);
      double* sum = sums.col(band).data() + c * count;
      if (!kernel.ard) ops.contract(k, s, w, sum);
      if (kernel.ard) ops.contract_by_coordinate(d, points.tile(i), points.tile(j), k, s, w, sum);
    }
  });
  Vector total = Vector::Zero(count * columns);
  for (Index band = 0; band < sums.cols(); ++band) total += sums.col(band);
  Matrix result(count, columns);
  for (Index c = 0; c < columns; ++c) {
    result.col(c) = parameters.sigma * weights[c].scale() * total.segment(c * count, count);
  }
  return result;
}

}  // namespace ulisse
