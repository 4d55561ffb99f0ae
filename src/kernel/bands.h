#pragma once

#include <algorithm>

#include "kernel/pair_schedule.h"
#include "kernel/tiled_points.h"

namespace ulisse {

// Tiles are scheduled in bands of up to 8 neighbours: sums that another core wrote last come from
// its cache, and with 8 x 8 tiles in a task (some 100 microseconds) that costs little; with 3 x 3
// it took a tenth of a product in float on two threads. 64 bands or more leave work for 32 threads.
// They depend on n alone, since they fix what is summed together.
class TileBands {
 public:
  explicit TileBands(Index tiles) : tiles_(tiles), step_(std::clamp<Index>(tiles / 64, 1, 8)) {}

  Index step() const { return step_; }  // tiles of a band, but for the last one
  Index count() const { return (tiles_ + step_ - 1) / step_; }
  Index first(Index band) const { return band * step_; }
  Index end(Index band) const { return std::min(tiles_, (band + 1) * step_); }
  Index tiles(Index band) const { return end(band) - first(band); }

 private:
  Index tiles_, step_;
};

// Calls f(tile_i, tile_j) once for each unordered pair of tiles of two bands, or of one.
template <class F>
void for_each_tile_pair_of(const TileBands& bands, Index band_i, Index band_j, const F& f) {
  for (Index i = bands.first(band_i); i < bands.end(band_i); ++i) {
    const Index stop_j = band_i == band_j ? i + 1 : bands.end(band_j);
    for (Index j = bands.first(band_j); j < stop_j; ++j) f(i, j);
  }
}

// Calls f(tile_i, tile_j, band_i) once for each unordered pair of tiles, the diagonal included,
// with the guarantees of for_each_pair. band_i is a band that the call may write to.
template <class F>
void for_each_tile_pair(Index tiles, const F& f) {
  const TileBands bands(tiles);
  for_each_pair(bands.count(), [&](Index band_i, Index band_j) {
    for_each_tile_pair_of(bands, band_i, band_j, [&](Index i, Index j) { f(i, j, band_i); });
  });
}

// Those of a share, as an object: all whose first band is one of the share's.
struct TilePairs {
  Index tiles;
  Share share = {};

  Index bands() const { return TileBands(tiles).count(); }

  template <class F>
  void for_each(const F& f) const {
    if (share.parts == 1) {
      for_each_tile_pair(tiles, f);
    } else {
      for_each_of_share(f);
    }
  }

 private:
  // A band's calls are in the order of for_each_tile_pair, and one band's alone write to it.
  template <class F>
  void for_each_of_share(const F& f) const {
    const TileBands all(tiles);
    const PairSchedule schedule(all.count());
    const Index own = (all.count() - share.part + share.parts - 1) / share.parts;
    tbb::parallel_for(Index(0), own, [&](Index b) {
      const Index band_i = share.part + b * share.parts;
      schedule.for_each_second(band_i, [&](Index band_j) {
        for_each_tile_pair_of(all, band_i, band_j, [&](Index i, Index j) { f(i, j, band_i); });
      });
    });
  }
};

}  // namespace ulisse
