#pragma once

#include <Eigen/Eigenvalues>

#include "ulisse/types.h"

namespace ulisse {

// lambda_max(M V) with M = factor factor': a variance in units of the posterior's.
inline double largest_eigenvalue(const Matrix& factor, const Matrix& v) {
  const Matrix whitened = factor.transpose() * v * factor;
  return Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (whitened + whitened.transpose()))
      .eigenvalues()
      .maxCoeff();
}

}  // namespace ulisse
