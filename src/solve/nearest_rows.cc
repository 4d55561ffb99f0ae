#include "solve/nearest_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <numeric>
#include <stdexcept>

#include "base/blas.h"
#include "ulisse/random.h"

namespace ulisse {

namespace {

constexpr std::size_t kLeaf = 16;

using Points = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The first `count` points, as the tree asks for them.
struct FirstPoints {
  const Points& all;
  Index count;

  std::size_t kdtree_get_point_count() const { return static_cast<std::size_t>(count); }
  double kdtree_get_pt(std::uint32_t place, std::size_t coordinate) const {
    return all(place, static_cast<Index>(coordinate));
  }
  template <class Box>
  bool kdtree_get_bbox(Box& /*box*/) const {
    return false;
  }
};

using KdTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, FirstPoints>,
                                        FirstPoints, -1, std::uint32_t>;

// The nearest of those before `place`; of two as near the earlier one, so that what is found does
// not depend on the way through the tree.
class NearestBefore {
 public:
  NearestBefore(std::uint32_t place, std::span<std::uint32_t> found)
      : place_(place), found_(found), distances_(found.size(), kFar) {}

  bool addPoint(double distance, std::uint32_t other) {
    if (other >= place_) return true;
    const auto is_after = [&](std::size_t i) {
      return distances_[i] > distance || (distances_[i] == distance && found_[i] > other);
    };
    if (!is_after(found_.size() - 1)) return true;
    std::size_t at = found_.size() - 1;
    for (; at > 0 && is_after(at - 1); --at) {
      distances_[at] = distances_[at - 1];
      found_[at] = found_[at - 1];
    }
    distances_[at] = distance;
    found_[at] = other;
    return true;
  }
  double worstDist() const { return std::nextafter(distances_.back(), kFar); }
  bool full() const { return true; }
  std::size_t size() const { return found_.size(); }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();
  std::uint32_t place_;
  std::span<std::uint32_t> found_;
  std::vector<double> distances_;
};

Indices shuffled(Index n, std::uint64_t seed) {
  Rng rng = stream(seed, 1, Purpose::pivots);
  Indices order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  for (Index i = n - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(rng.below(i + 1))]);
  }
  return order;
}

}  // namespace

NearestEarlier nearest_earlier(const ConstBlock& points, Index most, std::uint64_t seed) {
  const Index n = points.rows();
  if (most < 1 || most > most_neighbours(n) || !points.allFinite()) {
    throw std::invalid_argument(fmt::format("{} neighbours among {} rows", most, n));
  }
  NearestEarlier near{.most = most, .order = shuffled(n, seed), .flat = {}};
  near.flat.resize(static_cast<std::size_t>(n * most), std::numeric_limits<std::uint32_t>::max());
  const Points in_order = points(near.order, Eigen::all);
  // A tree of the first 2, 4, 8, ... points serves the later half of them: half of what it finds is
  // early enough.
  for (Index first = 1; first < n; first *= 2) {
    const FirstPoints of_tree{in_order, std::min(n, 2 * first)};
    const KdTree tree(static_cast<int>(in_order.cols()), of_tree, {kLeaf});
    parallel_pieces(of_tree.count - first, 256, [&](Index start, Index count) {
      for (Index i = first + start; i < first + start + count; ++i) {
        std::uint32_t* mine = near.flat.data() + i * most;
        NearestBefore nearest(static_cast<std::uint32_t>(i),
                              {mine, static_cast<std::size_t>(std::min(i, most))});
        tree.findNeighbors(nearest, in_order.row(i).data(), nanoflann::SearchParams());
      }
    });
  }
  return near;
}

struct NearestRows::Tree {
  explicit Tree(const ConstBlock& x)
      : points(x), all{points, points.rows()}, tree(static_cast<int>(x.cols()), all, {kLeaf}) {}

  Points points;
  FirstPoints all;
  KdTree tree;
};

NearestRows::NearestRows(const ConstBlock& points) : tree_(std::make_unique<const Tree>(points)) {}
NearestRows::~NearestRows() = default;
Index NearestRows::size() const { return tree_->points.rows(); }

Indices NearestRows::of(const RowVector& point, Index count) const {
  std::vector<std::uint32_t> found(static_cast<std::size_t>(std::min(count, size())));
  NearestBefore nearest(static_cast<std::uint32_t>(size()), found);
  tree_->tree.findNeighbors(nearest, point.data(), nanoflann::SearchParams());
  return {found.begin(), found.end()};
}

}  // namespace ulisse
