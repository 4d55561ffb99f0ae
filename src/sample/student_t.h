#pragma once

#include "ulisse/random.h"
#include "ulisse/types.h"

namespace ulisse {

// The multivariate Student-t distribution around `centre` with scale matrix Sigma: tails that fall
// like a power, so that proposals from it reach wherever a posterior has mass.
class StudentT {
 public:
  // Throws std::invalid_argument unless sizes agree, Sigma is positive definite, and there is at
  // least one degree of freedom.
  StudentT(Vector centre, const Matrix& scale, int degrees_of_freedom);

  Vector draw(Rng& rng) const;
  double log_density(const Vector& psi) const;  // up to a constant

  const Matrix& factor() const { return factor_; }  // lower triangular L, L L' = Sigma

 private:
  Vector centre_;
  Matrix factor_;
  int degrees_of_freedom_;
};

}  // namespace ulisse
