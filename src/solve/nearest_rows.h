#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// Rows in an order, and for each one those before it in this order that are nearest to it.
struct NearestEarlier {
  Index most = 0;                   // neighbours of a row; the first rows have fewer
  Indices order;                    // the row in each place
  std::vector<std::uint32_t> flat;  // places of neighbours, `most` for each place

  Index size() const { return static_cast<Index>(order.size()); }
  // Places of the neighbours of the row in `place`, nearest first.
  std::span<const std::uint32_t> of(Index place) const {
    return {flat.data() + place * most, static_cast<std::size_t>(std::min(place, most))};
  }
};

// Places are counted in 32 bits.
inline Index most_neighbours(Index rows) {
  return static_cast<Index>(std::numeric_limits<std::uint32_t>::max()) / std::max<Index>(1, rows);
}

// Of points, (n, .), in an order drawn at random: then early rows are all over the place, and stand
// for what is far. The time is that of n searches in a k-d tree, which with more than some ten
// coordinates looks at all points.
NearestEarlier nearest_earlier(const ConstBlock& points, Index most, std::uint64_t seed);

// For each of some new points the rows of `points` that are nearest to it, nearest first. Rows of
// equal distance come in their order.
class NearestRows {
 public:
  explicit NearestRows(const ConstBlock& points);
  ~NearestRows();
  Index size() const;
  Indices of(const RowVector& point, Index count) const;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

}  // namespace ulisse
