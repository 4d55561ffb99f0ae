#pragma once

#include "ulisse/covariance.h"
#include "ulisse/dataset.h"

namespace ulisse::testing {

// The Concrete data, z-scored, and their mode with Gamma(1, 1) priors (METHOD.md, part C).
inline const Dataset& concrete() {
  static const Dataset data = [] {
    const Dataset raw = read_csv(ULISSE_CONCRETE_CSV, {.target = "strength"});
    return scaled(raw, standardisation_of(raw));
  }();
  return data;
}

inline Vector concrete_mode() { return (Vector(3) << 1.8449, -2.5283, -2.7045).finished(); }

// K of the first `rows` rows (all: 0) at the mode. They are not sorted in any way that matters.
inline std::unique_ptr<const CovarianceOperator> concrete_covariance(
    const std::string& backend = "cached", Index rows = 0) {
  const Matrix& x = concrete().x;
  const Matrix chosen = rows > 0 ? Matrix(x.topRows(rows)) : x;
  return make_covariance(parse_kernel("rbf"), chosen, {.backend = backend})->at(concrete_mode());
}

// K as a matrix, by products with the identity.
inline Matrix as_matrix(const LinearOperator& k) {
  Matrix result(k.size(), k.size());
  k.apply(Matrix::Identity(k.size(), k.size()), result);
  return result;
}

}  // namespace ulisse::testing
