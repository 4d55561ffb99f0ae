#pragma once

#include "kernel/packed_block.h"
#include "kernel/tree/point_tree.h"

namespace ulisse {

// The part of a product in which two nodes see each other as one value: sums of the right-hand
// sides below each node go out, and what comes in is handed down to the points at the end.
class FarField {
 public:
  FarField(const PointTree& tree, const PackedRows<double>& v)
      : tree_(tree),
        sums_(Matrix::Zero(v.columns(), static_cast<Index>(tree.nodes.size()))),
        received_(Matrix::Zero(sums_.rows(), sums_.cols())) {
    for (Index i = sums_.cols() - 1; i >= 0; --i) {
      const TreeNode& node = tree.nodes[static_cast<std::size_t>(i)];
      if (node.leaf()) {
        sums_.col(i) = Eigen::Map<const Matrix>(v.tile(node.first_tile), v.columns(), simd::kTile)
                           .rowwise()
                           .sum();
      } else {
        sums_.col(i) = sums_.col(node.left) + sums_.col(node.right);
      }
    }
  }

  void exchange(Index a, Index b, double value) {
    received_.col(a) += value * sums_.col(b);
    received_.col(b) += value * sums_.col(a);
  }

  void hand_down(RowSums& sums) {
    for (Index i = 0; i < received_.cols(); ++i) {
      const TreeNode& node = tree_.nodes[static_cast<std::size_t>(i)];
      if (!node.leaf()) {
        received_.col(node.left) += received_.col(i);
        received_.col(node.right) += received_.col(i);
      } else {
        Eigen::Map<Matrix>(sums.tile(node.first_tile), received_.rows(), simd::kTile).colwise() +=
            received_.col(i);
      }
    }
  }

 private:
  const PointTree& tree_;
  Matrix sums_, received_;  // (columns, nodes)
};

}  // namespace ulisse
