#pragma once

#include <optional>

#include "ulisse/types.h"

namespace ulisse {

// A move between two modes: from around one to the place that lies as many standard deviations, in
// the same directions, from the other. Twice done it leads back, so that Metropolis may accept it
// by the densities and the stretch alone.
class ModeSwap {
 public:
  // Throws std::invalid_argument unless sizes agree and covariances are positive definite.
  ModeSwap(Vector first, const Matrix& first_covariance, Vector second,
           const Matrix& second_covariance);

  struct Candidate {
    Vector psi;
    double log_stretch;  // log determinant of the move
  };

  // The narrowest direction of the second, as a share of the first's width there; at most 1.
  double narrowness() const;

  bool is_nearer_to_first(const Vector& psi) const;

  // None where the place is nearer to the mode that was left: the way back would not lead here.
  std::optional<Candidate> from(const Vector& psi) const;

 private:
  Vector first_, second_;
  Matrix first_factor_, second_factor_;
};

}  // namespace ulisse
