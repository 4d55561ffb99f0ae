#include "kernel/tree/tree_operator.h"

#include <atomic>

#include "kernel/backends.h"
#include "kernel/dense.h"
#include "kernel/packed_block.h"
#include "kernel/tiled_columns.h"
#include "kernel/tiled_gradient.h"
#include "kernel/tree/far_field.h"

namespace ulisse {

namespace {

// Errors of many values add up in a product, by chance or all in one direction. Values are held to
// less than the tolerance, so that a product's error relative to its largest element is near it,
// too; it costs a fifth of the time where kernels fall fast.
constexpr double kMargin = 8;

}  // namespace

template <class Bounds>
TreeOperator<Bounds>::TreeOperator(const KernelPoints& points, const ConstVector& psi,
                                   std::shared_ptr<const PointTree> tree, double tolerance)
    : kernel_(points, psi),
      tree_(std::move(tree)),
      places_(tree_->places()),
      bounds_(*tree_, this->points()),
      walk_(*tree_, bounds_),
      pruning_(kernel_.terms()[0].parts[0].metric.shape, tolerance / kMargin) {}

template <class Bounds>
template <class Near, class Far>
void TreeOperator<Bounds>::split(const Near& near, const Far& far) const {
  walk_.run([&](const NodePair& pair, Index) {
    if (pruning_.negligible(pair.distance)) return true;
    // A node with itself has the diagonal, which is to be exact.
    if (double value = 0; pair.a != pair.b && pruning_.alike(pair.distance, value)) {
      far(pair.a, pair.b, value);
      return true;
    }
    if (pair.leaves()) near(pair.first().first_tile, pair.second().first_tile);
    return pair.leaves();
  });
}

template <class Bounds>
void TreeOperator<Bounds>::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  const auto& ops = simd::tile_ops<double>();
  const PackedRows<double> v(tree_->weights_in_order(x));
  RowSums sums(kernel_.size(), v.columns());
  FarField far(*tree_, v);
  const auto near = [&](Index i, Index j) {
    alignas(64) double k[simd::kTileSize];
    kernel_.values(i, j, k);
    ops.multiply(k, v.columns(), v.tile(i), v.tile(j), sums.tile(i),
                 i == j ? nullptr : sums.tile(j));
  };
  split(near, [&](Index a, Index b, double value) { far.exchange(a, b, value); });
  far.hand_down(sums);
  for (Index c = 0; c < x.cols(); ++c) {
    const double factor = variance() * v.scale(c);
    for (Index i = 0; i < size(); ++i) y(i, c) = factor * sums(places_[i], c);
  }
}

template <class Bounds>
long TreeOperator<Bounds>::pairs_computed() const {
  std::atomic<long> tiles = 0;
  split([&](Index i, Index j) { tiles += i == j ? 1 : 2; }, [](Index, Index, double) {});
  return tiles * simd::kTileSize;
}

namespace {

// The walk as tiled_contractions asks for pairs of tiles: those that are not negligible.
template <class Bounds>
class NearTiles {
 public:
  NearTiles(const DualWalk<Bounds>& walk, const Pruning& pruning)
      : walk_(walk), pruning_(pruning) {}
  Index bands() const { return walk_.bands(); }
  template <class F>
  void for_each(const F& f) const {
    walk_.run([&](const NodePair& pair, Index band) {
      if (pruning_.negligible(pair.distance)) return true;
      if (!pair.leaves()) return false;
      f(pair.first().first_tile, pair.second().first_tile, band);
      return true;
    });
  }

 private:
  const DualWalk<Bounds>& walk_;
  const Pruning& pruning_;
};

}  // namespace

template <class Bounds>
Vector TreeOperator<Bounds>::gradient_forms(const ConstBlock& u, const ConstBlock& v) const {
  check_forms(size(), u, v);
  const std::vector<OuterWeights<double>> weights(
      1, OuterWeights<double>(tree_->weights_in_order(u), tree_->weights_in_order(v)));
  return tiled_contractions(kernel_, weights, NearTiles(walk_, pruning_));
}

template <class Bounds>
Matrix TreeOperator<Bounds>::gradient_forms_by_column(const ConstBlock& u,
                                                      const ConstBlock& v) const {
  check_forms(size(), u, v);
  const Matrix left = tree_->weights_in_order(u), right = tree_->weights_in_order(v);
  std::vector<OuterWeights<double>> weights;
  for (Index c = 0; c < u.cols(); ++c) weights.emplace_back(left.col(c), right.col(c));
  return tiled_contractions(kernel_, weights, NearTiles(walk_, pruning_));
}

template <class Bounds>
void TreeOperator<Bounds>::columns(const Indices& which, Block out) const {
  check_columns(size(), which, out);
  Indices slots;
  for (const Index i : which) slots.push_back(places_[i]);
  tiled_columns(kernel_.select(places_), kernel_.select(slots), out);
}

template class TreeOperator<BoxBounds>;
template class TreeOperator<BallBounds>;

namespace {

template <class Operator>
Backend tree_backend(const std::string& name, PointTree (*divide)(const ConstBlock& x)) {
  return {.name = name,
          .can = {.takes_tolerance = true, .automatic = true, .one_distance = true},
          .make = [divide](const Kernel& kernel, const ConstBlock& x,
                           const CovarianceOptions& options) -> KernelAt {
            const KernelPoints points(kernel, x);
            const auto tree = std::make_shared<const PointTree>(divide(points.coordinates(0, 0)));
            const auto ordered = std::make_shared<const KernelPoints>(points.in_order(tree->slots));
            return [tree, ordered, tolerance = options.tolerance](const ConstVector& psi) {
              return std::make_unique<const Operator>(*ordered, psi, tree, tolerance);
            };
          }};
}

}  // namespace

Backend kd_tree_backend() { return tree_backend<KdTreeOperator>("kdtree", build_kd_tree); }
Backend anchors_backend() { return tree_backend<AnchorsOperator>("anchors", build_anchors_tree); }

}  // namespace ulisse
