#pragma once

#include "kernel/tiled_points.h"
#include "kernel/tree/point_tree.h"

namespace ulisse {

// The least and the largest squared distance between points of two nodes, or of one.
struct SquaredRange {
  double least, largest;
};

// Bounding boxes of the nodes in scaled coordinates.
class BoxBounds {
 public:
  BoxBounds(const PointTree& tree, const TiledPoints<double>& points);
  SquaredRange between(Index a, Index b) const;

 private:
  Matrix low_, high_;  // (d, nodes)
};

// Balls around the nodes' means.
class BallBounds {
 public:
  BallBounds(const PointTree& tree, const TiledPoints<double>& points);
  SquaredRange between(Index a, Index b) const;

 private:
  Matrix centre_;  // (d, nodes)
  Vector radius_;
};

}  // namespace ulisse
