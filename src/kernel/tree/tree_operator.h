#pragma once

#include <memory>

#include "kernel/dense.h"
#include "kernel/tiled_kernel.h"
#include "kernel/tree/dual_walk.h"
#include "kernel/tree/node_bounds.h"
#include "kernel/tree/point_tree.h"
#include "kernel/tree/pruning.h"
#include "ulisse/covariance.h"

namespace ulisse {

// What the two trees have in common: how much they leave out.
class TreeProducts : public KernelOperator {
 public:
  // Ordered pairs of points whose values a product computes one by one, padding included.
  virtual long pairs_computed() const = 0;

  double share_computed() const override {
    const double n = static_cast<double>(size());
    return static_cast<double>(pairs_computed()) / (n * n);
  }
};

// Products by a dual-tree walk: pairs of nodes whose kernel values are negligible are left out,
// those whose values are alike share one, and the rest is done tile by tile. With tolerance e each
// value of K has an error below e (sigma + K), whatever the signs of the right-hand sides, and
// each of its derivatives with respect to psi by less than e sigma.
template <class Bounds>
class TreeOperator : public TreeProducts {
 public:
  // points: in the order of the tree's slots, of a kernel of one distance.
  TreeOperator(const KernelPoints& points, const ConstVector& psi,
               std::shared_ptr<const PointTree> tree, double tolerance);

  Index size() const override { return static_cast<Index>(places_.size()); }
  void apply(const ConstBlock& x, Block y) const override;
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override;
  void columns(const Indices& which, Block out) const override;
  double variance() const override { return kernel_.variance(); }
  Vector variance_slopes() const override { return kernel_.variance_slopes(); }
  long pairs_computed() const override;
  double error_bound() const override { return 2 * pruning_.tolerance() * variance(); }

 private:
  // Calls near(tile_i, tile_j) and far(node_a, node_b, value): together they make a product.
  template <class Near, class Far>
  void split(const Near& near, const Far& far) const;

  const TiledPoints<double>& points() const { return kernel_.terms()[0].parts[0].points; }

  TiledKernel<double> kernel_;
  std::shared_ptr<const PointTree> tree_;
  Indices places_;  // the slot of each point
  Bounds bounds_;
  DualWalk<Bounds> walk_;
  Pruning pruning_;
};

using KdTreeOperator = TreeOperator<BoxBounds>;
using AnchorsOperator = TreeOperator<BallBounds>;
extern template class TreeOperator<BoxBounds>;
extern template class TreeOperator<BallBounds>;

}  // namespace ulisse
