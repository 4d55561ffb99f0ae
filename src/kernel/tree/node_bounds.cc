#include "kernel/tree/node_bounds.h"

#include <algorithm>
#include <cmath>

namespace ulisse {

namespace {

using ConstTile = Eigen::Map<const Matrix>;

ConstTile tile_of(const TiledPoints<double>& points, Index t) {
  return {points.tile(t), simd::kTile, points.dimensions()};
}

// A node's bounds follow from its children's, which stand behind it.
template <class Leaf, class Join>
void bottom_up(const PointTree& tree, const Leaf& leaf, const Join& join) {
  for (auto i = static_cast<Index>(tree.nodes.size()) - 1; i >= 0; --i) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
    if (node.leaf()) {
      leaf(i, node.first_tile);
    } else {
      join(i, node);
    }
  }
}

}  // namespace

BoxBounds::BoxBounds(const PointTree& tree, const TiledPoints<double>& points)
    : low_(points.dimensions(), static_cast<Index>(tree.nodes.size())),
      high_(low_.rows(), low_.cols()) {
  bottom_up(
      tree,
      [&](Index i, Index t) {
        low_.col(i) = tile_of(points, t).colwise().minCoeff().transpose();
        high_.col(i) = tile_of(points, t).colwise().maxCoeff().transpose();
      },
      [&](Index i, const TreeNode& node) {
        low_.col(i) = low_.col(node.left).cwiseMin(low_.col(node.right));
        high_.col(i) = high_.col(node.left).cwiseMax(high_.col(node.right));
      });
}

SquaredRange BoxBounds::between(Index a, Index b) const {
  SquaredRange range{0, 0};
  for (Index k = 0; k < low_.rows(); ++k) {
    const double beyond = high_(k, b) - low_(k, a), before = high_(k, a) - low_(k, b);
    const double gap = std::max({0.0, -beyond, -before}), span = std::max(beyond, before);
    range.least += gap * gap;
    range.largest += span * span;
  }
  return range;
}

// Radii of parents are taken from the points, not from the children's balls: the parents' balls
// would grow far too large.
BallBounds::BallBounds(const PointTree& tree, const TiledPoints<double>& points)
    : centre_(Matrix::Zero(points.dimensions(), static_cast<Index>(tree.nodes.size()))),
      radius_(Vector::Zero(centre_.cols())) {
  Vector size = Vector::Ones(centre_.cols());
  bottom_up(
      tree,
      [&](Index i, Index t) { centre_.col(i) = tile_of(points, t).colwise().mean().transpose(); },
      [&](Index i, const TreeNode& node) {
        const double left = size(node.left), right = size(node.right);
        size(i) = left + right;
        centre_.col(i) =
            (left / size(i)) * centre_.col(node.left) + (right / size(i)) * centre_.col(node.right);
      });
  for (Index i = 0; i < centre_.cols(); ++i) {
    const TreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
    for (Index t = node.first_tile; t < node.end_tile; ++t) {
      const double farthest =
          (tile_of(points, t).rowwise() - centre_.col(i).transpose()).rowwise().norm().maxCoeff();
      radius_(i) = std::max(radius_(i), farthest);
    }
  }
}

SquaredRange BallBounds::between(Index a, Index b) const {
  const double apart = (centre_.col(a) - centre_.col(b)).norm();
  const double least = std::max(0.0, apart - radius_(a) - radius_(b));
  const double largest = apart + radius_(a) + radius_(b);
  return {least * least, largest * largest};
}

}  // namespace ulisse
