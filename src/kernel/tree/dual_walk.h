#pragma once

#include <algorithm>

#include "kernel/pair_schedule.h"
#include "kernel/tree/node_bounds.h"
#include "kernel/tree/point_tree.h"

namespace ulisse {

// Two nodes, or one with itself.
struct NodePair {
  const PointTree& tree;
  Index a, b;
  SquaredRange distance;

  const TreeNode& first() const { return tree.nodes[static_cast<std::size_t>(a)]; }
  const TreeNode& second() const { return tree.nodes[static_cast<std::size_t>(b)]; }
  bool leaves() const { return first().leaf() && second().leaf(); }
};

// Walks a tree against itself. The tree is cut into subtrees, the bands of for_each_pair, so that
// what is added to a node or a tile is added in the same order on any number of threads.
template <class Bounds>
class DualWalk {
 public:
  DualWalk(const PointTree& tree, const Bounds& bounds) : tree_(tree), bounds_(bounds) {
    cut(0, std::max<Index>(1, tree.tiles() / kBands));
  }

  Index bands() const { return static_cast<Index>(roots_.size()); }

  // Calls visit(pair, band) for pairs of nodes, from large ones to small ones: it returns whether
  // the pair is done with, and must be done with pairs of leaves. `band` is one that the call may
  // write to. Every unordered pair of points is in one of the pairs that are done with.
  template <class Visit>
  void run(const Visit& visit) const {
    for_each_pair(bands(), [&](Index i, Index j) { walk(roots_[i], roots_[j], i, visit); });
  }

 private:
  static constexpr Index kBands = 64;

  const TreeNode& node(Index i) const { return tree_.nodes[static_cast<std::size_t>(i)]; }

  void cut(Index i, Index tiles) {
    if (node(i).tiles() <= tiles) {
      roots_.push_back(i);
    } else {
      cut(node(i).left, tiles);
      cut(node(i).right, tiles);
    }
  }

  template <class Visit>
  void walk(Index a, Index b, Index band, const Visit& visit) const {
    if (visit(NodePair{tree_, a, b, bounds_.between(a, b)}, band)) return;
    if (a == b) {
      walk(node(a).left, node(a).left, band, visit);
      walk(node(a).left, node(a).right, band, visit);
      walk(node(a).right, node(a).right, band, visit);
    } else if (node(b).leaf() || (!node(a).leaf() && node(a).tiles() >= node(b).tiles())) {
      walk(node(a).left, b, band, visit);
      walk(node(a).right, b, band, visit);
    } else {
      walk(a, node(b).left, band, visit);
      walk(a, node(b).right, band, visit);
    }
  }

  const PointTree& tree_;
  const Bounds& bounds_;
  Indices roots_;
};

}  // namespace ulisse
