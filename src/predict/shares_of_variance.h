#pragma once

#include <functional>

#include "ulisse/random.h"
#include "ulisse/types.h"

namespace ulisse {

// Points for Sobol's indices: two samples of rows whose columns are drawn independently of each
// other from those of a table (Saltelli et al. 2010).
struct SobolPoints {
  Matrix a, b;

  SobolPoints(const ConstBlock& table, const Indices& inputs, Index count, Rng& rng);

  // a with some columns from b.
  Matrix mixed(const Indices& columns) const;
};

// Of a function: V_i / V and the share that goes without input i, and of pairs V_ij / V, beyond V_i
// and V_j. `inputs`: columns that are varied.
struct SharesOfVariance {
  Vector first_order, total;  // (inputs)
  Matrix pairs;               // (inputs, inputs), above the diagonal
};
using PointFunction = std::function<Vector(const Matrix& points)>;
SharesOfVariance shares_of_variance(const PointFunction& f, const SobolPoints& points,
                                    const Indices& inputs);

}  // namespace ulisse
