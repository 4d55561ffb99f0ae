#pragma once

#include <algorithm>

#include "kernel/simd/tiles.h"
#include "ulisse/types.h"

namespace ulisse {

// Weights (alpha alpha' - K^-1)/2 for tiled_contractions; off the diagonal a tile counts twice.
// K^-1 in double or in float.
template <class T>
class InverseWeights {
 public:
  using Inverse = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  InverseWeights(const Inverse& inverse, const Vector& alpha) : inverse_(inverse), alpha_(alpha) {}
  double scale() const { return 1; }
  void tile(Index i, Index j, double* w) const {
    const Index row = i * simd::kTile, column = j * simd::kTile, n = alpha_.size();
    const double factor = i == j ? 0.5 : 1;
    for (Index a = 0; a < simd::kTile; ++a) {
      for (Index b = 0; b < simd::kTile; ++b) {
        const Index r = row + a, c = column + b;
        w[a * simd::kTile + b] =
            r < n && c < n
                ? factor * (alpha_(r) * alpha_(c) - inverse_(std::max(r, c), std::min(r, c)))
                : 0;
      }
    }
  }

 private:
  const Inverse& inverse_;  // lower triangle
  const Vector& alpha_;
};

}  // namespace ulisse
