#include "kernel/tree/point_tree.h"

#include "kernel/simd/tiles.h"

namespace ulisse {

Index PointTree::tiles() const { return static_cast<Index>(slots.size()) / simd::kTile; }

Matrix PointTree::points_in_order(const ConstBlock& x) const {
  Matrix ordered(static_cast<Index>(slots.size()), x.cols());
  for (Index k = 0; k < x.cols(); ++k) {
    for (Index i = 0; i < ordered.rows(); ++i) ordered(i, k) = x(slots[i], k);
  }
  return ordered;
}

Matrix PointTree::weights_in_order(const ConstBlock& v) const {
  Matrix ordered(static_cast<Index>(slots.size()), v.cols());
  for (Index c = 0; c < v.cols(); ++c) {
    for (Index i = 0; i < ordered.rows(); ++i) {
      ordered(i, c) = occupied[static_cast<std::size_t>(i)] != 0 ? v(slots[i], c) : 0;
    }
  }
  return ordered;
}

Indices PointTree::places() const {
  Indices all(slots.size());
  Index points = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (occupied[i] == 0) continue;
    all[static_cast<std::size_t>(slots[i])] = static_cast<Index>(i);
    ++points;
  }
  all.resize(static_cast<std::size_t>(points));
  return all;
}

Index PointTree::add_leaf(const Index* points, Index count) {
  const Index tile = tiles();
  for (Index i = 0; i < simd::kTile; ++i) {
    slots.push_back(i < count ? points[i] : points[0]);
    occupied.push_back(i < count ? 1 : 0);
  }
  nodes.push_back({.first_tile = tile, .end_tile = tile + 1});
  return static_cast<Index>(nodes.size()) - 1;
}

}  // namespace ulisse
