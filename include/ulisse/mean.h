#pragma once

#include "ulisse/types.h"

namespace ulisse {

// The trend: a linear function of some of the inputs, with coefficients that are integrated out.
// Their prior is N(0, scale^2), for the target's own units per standard deviation of an input.
struct Mean {
  bool intercept = false;
  Indices inputs = {};  // columns of x
  double scale = 10;

  // H: a column for each coefficient, (n, size()).
  Matrix basis(const ConstBlock& x) const;

  Index size() const { return (intercept ? 1 : 0) + static_cast<Index>(inputs.size()); }
};

}  // namespace ulisse
