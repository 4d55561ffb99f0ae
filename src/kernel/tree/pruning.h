#pragma once

#include "kernel/tree/node_bounds.h"
#include "ulisse/kernel.h"

namespace ulisse {

// What need not be computed pair by pair. All values are of the shape, which is 1 at distance 0;
// distances are squared and in scaled coordinates.
class Pruning {
 public:
  Pruning(Shape shape, double tolerance);

  // Every value is below the tolerance, and so is its derivative with respect to any log parameter.
  bool negligible(const SquaredRange& range) const { return range.least > negligible_beyond_; }

  // One value stands for all, each with an error of at most tolerance (1 + value); false when it
  // would not.
  bool alike(const SquaredRange& range, double& value) const;

  double tolerance() const { return tolerance_; }

 private:
  double shape_at(double squared) const;
  double largest_derivative_beyond(double squared) const;

  Shape shape_;
  double tolerance_, scale_;
  double negligible_beyond_;
};

}  // namespace ulisse
