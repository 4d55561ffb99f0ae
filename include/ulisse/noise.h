#pragma once

#include <cmath>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/types.h"

namespace ulisse {

// The variance that an observation has beyond the function's: lambda, the same for every row. Its
// psi, (1), is log(lambda).
struct Noise {
  static std::vector<Parameter> parameters() {
    return {{.name = "lambda", .role = Role::noise_variance}};
  }
  static Index parameter_count() { return 1; }

  // Of an observation, a new one too.
  static double variance(const ConstVector& psi) { return std::exp(psi(0)); }

  static double sd(const ConstVector& psi) { return std::exp(0.5 * psi(0)); }

  // Of each of `rows` observations.
  static Vector diagonal(const ConstVector& psi, Index rows) {
    return Vector::Constant(rows, variance(psi));
  }

  // sum_i w_i d diagonal_i / d psi, (1), of weights with the sum `total`: all rows share lambda.
  static Vector slope(const ConstVector& psi, double total) {
    return Vector::Constant(1, variance(psi) * total);
  }
};

}  // namespace ulisse
