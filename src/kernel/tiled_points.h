#pragma once

#include <vector>

#include "base/aligned.h"
#include "kernel/simd/tiles.h"
#include "ulisse/kernel.h"
#include "ulisse/types.h"

namespace ulisse {

inline Index tiles_for(Index n) { return (n + simd::kTile - 1) / simd::kTile; }

// Points in tiles of simd::kTile, coordinate by coordinate within a tile, multiplied by
// coordinate_scale * sqrt(tau_k): the layout that simd::TileOps works on. The last tile is padded
// with points at the origin.
template <class T>
class TiledPoints {
 public:
  // x: (n, d), of which the last `categories` columns are places of levels; tau: (d).
  TiledPoints(const ConstBlock& x, const ConstVector& tau, Shape shape, Index categories = 0);

  // The points of `which`, in that order.
  TiledPoints select(const Indices& which) const;

  Index size() const { return n_; }
  Index dimensions() const { return d_; }
  simd::Extent<T> extent() const {
    const auto categories = static_cast<Index>(most_.size());
    return {d_ - categories, categories, most_.data()};
  }
  Index tiles() const { return tiles_for(n_); }
  const T* tile(Index t) const { return data_.data() + t * d_ * simd::kTile; }
  double largest_coordinate() const { return largest_; }  // of numbers

 private:
  TiledPoints(Index n, Index d);
  void set_numbers(Index k, const ConstVector& x, double scale);
  void set_category(Index k, const ConstVector& x, double scale);
  T& at(Index point, Index k) {
    return data_[((point / simd::kTile) * d_ + k) * simd::kTile + point % simd::kTile];
  }
  T at(Index point, Index k) const { return const_cast<TiledPoints*>(this)->at(point, k); }

  Index n_, d_;
  double largest_ = 0;
  std::vector<T> most_;  // squared difference of two levels, for each category
  AlignedVector<T> data_;
};

extern template class TiledPoints<double>;
extern template class TiledPoints<float>;

}  // namespace ulisse
