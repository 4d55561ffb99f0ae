#pragma once

#include <optional>

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
  double log_constant() const;                  // which makes it a density

  const Matrix& factor() const { return factor_; }  // lower triangular L, L L' = Sigma

 private:
  Vector centre_;
  Matrix factor_;
  int degrees_of_freedom_;
};

// Another mode, for proposals that reach it, too.
struct SecondMode {
  Vector psi;
  Matrix covariance;
  double share;  // of all proposals
};

// A Student-t at the mode, or a mixture of two where there is another mode.
class ModeProposals {
 public:
  ModeProposals(const Vector& mode, const Matrix& covariance, int degrees_of_freedom,
                const std::optional<SecondMode>& second);

  Vector draw(Rng& rng) const;
  double log_density(const Vector& psi) const;             // up to a constant
  double normalised_log_density(const Vector& psi) const;  // with it
  const Matrix& factor() const { return first_.factor(); }

 private:
  StudentT first_;
  std::optional<StudentT> second_;
  double share_ = 0;  // of the second
};

}  // namespace ulisse
