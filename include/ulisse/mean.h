#pragma once

#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

struct Standardisation;

// The trend: a linear function of some of the inputs, with coefficients that are integrated out.
// Their prior is N(0, scale^2), for the target's own units per standard deviation of an input.
// All that is said of a trend elsewhere follows from these members.
struct Mean {
  bool intercept = false;
  Indices inputs = {};  // columns of x
  double scale = 10;

  // H: a column for each coefficient, (n, size()).
  Matrix basis(const ConstBlock& x) const;

  Index size() const { return (intercept ? 1 : 0) + static_cast<Index>(inputs.size()); }

  // What each coefficient is of: an input, and what stands behind its name; without one, what the
  // coefficient is called.
  struct Coefficient {
    Index column = -1;  // of x
    std::string text = {};
  };
  std::vector<Coefficient> coefficients() const;

  // Of coefficients for the scaled table, those for the table as it was.
  Vector in_units(const Vector& coefficients, const Standardisation& scaling) const;

  bool operator==(const Mean&) const = default;
};

}  // namespace ulisse
