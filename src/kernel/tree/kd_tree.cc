#include <algorithm>
#include <numeric>

#include "kernel/simd/tiles.h"
#include "kernel/tree/point_tree.h"

namespace ulisse {

namespace {

class KdBuilder {
 public:
  explicit KdBuilder(const ConstBlock& x) : x_(x), order_(static_cast<std::size_t>(x.rows())) {
    std::iota(order_.begin(), order_.end(), Index(0));
  }

  PointTree run() {
    add(0, x_.rows());
    return std::move(tree_);
  }

 private:
  // Halves in whole tiles: only one tile of the tree is not full.
  Index add(Index begin, Index end) {
    const Index tiles = (end - begin + simd::kTile - 1) / simd::kTile;
    if (tiles == 1) return tree_.add_leaf(order_.data() + begin, end - begin);
    const Index middle = begin + (tiles + 1) / 2 * simd::kTile;
    split(begin, middle, end, widest(begin, end));
    const auto node = static_cast<Index>(tree_.nodes.size());
    tree_.nodes.push_back({.first_tile = tree_.tiles(), .end_tile = tree_.tiles() + tiles});
    const Index left = add(begin, middle);
    const Index right = add(middle, end);
    tree_.nodes[static_cast<std::size_t>(node)].left = left;
    tree_.nodes[static_cast<std::size_t>(node)].right = right;
    return node;
  }

  Index widest(Index begin, Index end) const {
    Index best = 0;
    double width = -1;
    for (Index k = 0; k < x_.cols(); ++k) {
      double low = x_(order_[begin], k), high = low;
      for (Index i = begin; i < end; ++i) {
        low = std::min(low, x_(order_[i], k));
        high = std::max(high, x_(order_[i], k));
      }
      if (high - low > width) {
        width = high - low;
        best = k;
      }
    }
    return best;
  }

  // Equal coordinates are ordered by row, so that the tree is the same with every library.
  void split(Index begin, Index middle, Index end, Index k) {
    const auto before = [&](Index a, Index b) {
      return x_(a, k) != x_(b, k) ? x_(a, k) < x_(b, k) : a < b;
    };
    const auto first = order_.begin();
    std::nth_element(first + begin, first + middle, first + end, before);
    // nth_element leaves the order within the halves to the library.
    std::sort(first + begin, first + middle);
    std::sort(first + middle, first + end);
  }

  const ConstBlock& x_;
  Indices order_;
  PointTree tree_;
};

}  // namespace

PointTree build_kd_tree(const ConstBlock& x) { return KdBuilder(x).run(); }

}  // namespace ulisse
