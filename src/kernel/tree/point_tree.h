#pragma once

#include <vector>

#include "ulisse/types.h"

namespace ulisse {

struct TreeNode {
  Index first_tile, end_tile;   // its points fill these tiles
  Index left = -1, right = -1;  // children, -1 for a leaf
  bool leaf() const { return left < 0; }
  Index tiles() const { return end_tile - first_tile; }
};

// A binary tree over points, whose leaves are the tiles that simd::TileOps works on: a leaf has one
// tile, a node the tiles of its leaves, which are neighbours. Parents stand before their children,
// the root first.
struct PointTree {
  Indices slots;               // the point in each place of the tiles; what is left over in a tile
  std::vector<char> occupied;  // repeats one of its points, and is not occupied
  std::vector<TreeNode> nodes;

  Index tiles() const;

  // x's rows in the order of the slots; repeated points included.
  Matrix points_in_order(const ConstBlock& x) const;
  // The same for weights: what is not occupied weighs nothing.
  Matrix weights_in_order(const ConstBlock& v) const;
  // The slot of each point.
  Indices places() const;

  // Adds a leaf with a tile of its own for these points, at most a tile's. Returns its index.
  Index add_leaf(const Index* points, Index count);
};

// Splits the widest side of the bounding box, in the middle of the points: Gray & Moore (2000).
PointTree build_kd_tree(const ConstBlock& x);

// The anchors hierarchy of Moore (2000): about sqrt(n) anchors own the points nearest to them,
// found by the triangle inequality with few distances; the anchors are joined, nearest balls first,
// and each one's points are divided in the same way.
PointTree build_anchors_tree(const ConstBlock& x);

}  // namespace ulisse
