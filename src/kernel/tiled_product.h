#pragma once

#include <atomic>
#include <vector>

#include "base/aligned.h"
#include "kernel/bands.h"
#include "kernel/packed_block.h"
#include "kernel/simd/tiles.h"
#include "kernel/split.h"
#include "ulisse/kernel.h"

namespace ulisse {

// Sums that all threads add to, a band at a time: several tasks have a band in common.
class SharedSums {
 public:
  SharedSums(const TileBands& bands, GridSums& sums)
      : bands_(bands), sums_(sums), busy_(static_cast<std::size_t>(bands.count())) {}

  void add(Index band, const double* sums) {
    std::atomic_flag& busy = busy_[static_cast<std::size_t>(band)];
    while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    sums_.add(bands_.first(band), bands_.tiles(band), sums);
    busy.clear(std::memory_order_release);
  }

 private:
  const TileBands& bands_;
  GridSums& sums_;
  std::vector<std::atomic_flag> busy_;
};

// The products of a thread: those of two bands are summed on their own, which keeps them in its
// cache, and then added to the sums of all.
template <class T, class Source>
class BandProducts {
 public:
  BandProducts(const TileBands& bands, const PackedRows<T>& v, const Source& source,
               SharedSums& sums)
      : bands_(bands),
        v_(v),
        source_(source),
        sums_(sums),
        tile_size_(simd::kTile * v.columns()),
        own_(static_cast<std::size_t>(bands.step() * tile_size_)),
        other_(own_.size()) {}

  void operator()(Index band_i, Index band_j) {
    std::fill(own_.begin(), own_.end(), 0.0);
    if (band_i != band_j) std::fill(other_.begin(), other_.end(), 0.0);
    AlignedVector<double>& to_j = band_i == band_j ? own_ : other_;
    for_each_tile_pair_of(bands_, band_i, band_j, [&](Index i, Index j) {
      alignas(64) T scratch[simd::kTileSize];
      double* const yi = own_.data() + (i - bands_.first(band_i)) * tile_size_;
      double* const yj = to_j.data() + (j - bands_.first(band_j)) * tile_size_;
      ops_.multiply(source_(i, j, scratch), v_.columns(), v_.tile(i), v_.tile(j), yi,
                    i == j ? nullptr : yj);
    });
    sums_.add(band_i, own_.data());
    if (band_i != band_j) sums_.add(band_j, other_.data());
  }

 private:
  const simd::TileOps<T>& ops_ = simd::tile_ops<T>();
  const TileBands& bands_;
  const PackedRows<T>& v_;
  const Source& source_;
  SharedSums& sums_;
  Index tile_size_;
  AlignedVector<double> own_, other_;
};

// Sums of shape v over the pairs of tiles of a share, where source(i, j, scratch) gives the tile of
// shape values for a pair of tiles: computed into scratch, or kept somewhere.
template <class T, class Source>
GridSums product_sums(const PackedRows<T>& v, const Share& share, const Source& source) {
  const TileBands bands(tiles_for(v.rows()));
  GridSums sums(v.rows(), v.columns(), bands.count());
  SharedSums shared(bands, sums);
  for_each_pair_of(share, bands.count(),
                   [&] { return BandProducts<T, Source>(bands, v, source, shared); });
  return sums;
}

// y = sigma times the sums, whose columns are those of v scaled.
template <class T>
void write_product(double sigma, const PackedRows<T>& v, const GridSums& sums, Block y) {
  for_rows(y.rows(), [&](Index first, Index last) {
    for (Index c = 0; c < y.cols(); ++c) {
      const double factor = sigma * v.scale(c);
      for (Index i = first; i < last; ++i) y(i, c) = factor * sums(i, c);
    }
  });
}

// y = sigma * shape x, where it is wanted.
template <class T, class Source>
void tiled_product(double sigma, const ConstBlock& x, Block y, const Source& source,
                   const Split& split = undivided()) {
  const PackedRows<T> v(x);
  GridSums sums = product_sums(v, split.share, source);
  auto& words = sums.words();
  if (split.add(words.data(), static_cast<Index>(words.size()))) write_product(sigma, v, sums, y);
}

}  // namespace ulisse
