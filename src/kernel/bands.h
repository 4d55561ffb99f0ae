#pragma once

#include <algorithm>

#include "kernel/pair_schedule.h"
#include "kernel/tiled_points.h"

namespace ulisse {

// Tiles are scheduled in bands of up to 8 neighbours: sums that another core wrote last come from
// its cache, and with 8 x 8 tiles in a task (some 100 microseconds) that costs little; with 3 x 3
// it took a tenth of a product in float on two threads. 64 bands or more leave work for 32 threads.
// It depends on n alone, since it fixes the order of summation.
inline Index tiles_per_band(Index tiles) { return std::clamp<Index>(tiles / 64, 1, 8); }

// Calls f(tile_i, tile_j, band_i) once for each unordered pair of tiles, the diagonal included,
// with the guarantees of for_each_pair. band_i is a band that the call may write to.
template <class F>
void for_each_tile_pair(Index tiles, const F& f) {
  const Index step = tiles_per_band(tiles);
  const Index bands = (tiles + step - 1) / step;
  for_each_pair(bands, [&](Index band_i, Index band_j) {
    const Index end_i = std::min(tiles, (band_i + 1) * step);
    const Index end_j = std::min(tiles, (band_j + 1) * step);
    for (Index i = band_i * step; i < end_i; ++i) {
      const Index stop_j = band_i == band_j ? i + 1 : end_j;
      for (Index j = band_j * step; j < stop_j; ++j) f(i, j, band_i);
    }
  });
}

inline Index band_count(Index tiles) {
  const Index step = tiles_per_band(tiles);
  return (tiles + step - 1) / step;
}

// All of them, as an object.
struct AllTilePairs {
  Index tiles;

  Index bands() const { return band_count(tiles); }
  template <class F>
  void for_each(const F& f) const {
    for_each_tile_pair(tiles, f);
  }
};

}  // namespace ulisse
