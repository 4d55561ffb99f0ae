#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/types.h"

namespace ulisse {

// The column of x that says what is known of each row's noise: its variance, or its standard
// deviation, in the target's units.
struct KnownNoise {
  Index column;
  bool is_variance = false;
};

// The variance that an observation has beyond the function's: lambda, the same for every row, and
// what is known of the row. Its psi, (1), is log(lambda).
struct Noise {
  std::optional<KnownNoise> known = {};

  static std::vector<Parameter> parameters() {
    return {{.name = "lambda", .role = Role::noise_variance}};
  }
  static Index parameter_count() { return 1; }

  // Of lambda alone.
  static double variance(const ConstVector& psi) { return std::exp(psi(0)); }
  static double sd(const ConstVector& psi) { return std::exp(0.5 * psi(0)); }

  // Of the rows of x, (n, d): that which is known of each. 0 where nothing is.
  Vector known_variance(const ConstBlock& x) const {
    if (!known) return Vector::Zero(x.rows());
    if (known->is_variance) return x.col(known->column);
    return x.col(known->column).array().square();
  }

  // Of an observation of each row of x, (n, d); new ones, too.
  Vector diagonal(const ConstVector& psi, const ConstBlock& x) const {
    return known_variance(x).array() + variance(psi);
  }

  // sum_i w_i d diagonal_i / d psi, (1), of weights with the sum `total`: all rows share lambda.
  static Vector slope(const ConstVector& psi, double total) {
    return Vector::Constant(1, variance(psi) * total);
  }
};

}  // namespace ulisse
