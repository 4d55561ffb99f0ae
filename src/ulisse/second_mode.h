#pragma once

#include <optional>

#include "sample/coordinates.h"
#include "sample/mode_swap.h"
#include "ulisse/exact.h"

namespace ulisse {

// Another mode counts from this share of the posterior on.
constexpr double kMinModeShare = 0.01;

// The covariance of the posterior around psi by Laplace's method; none where psi is no maximum.
std::optional<Matrix> covariance_around(const ExactPosterior& posterior, const Vector& psi);

// The posterior around another mode, in the sampler's coordinates; both are empty where none is
// known.
struct OtherMode {
  Vector centre;
  Matrix covariance;
  bool is_there() const { return centre.size() > 0; }

  template <class V>
  void fields(V& v) {
    v("centre", centre);
    v("covariance", covariance);
  }
};

// Where the second mode holds enough for the sampler `ulisse` to go there.
OtherMode survey_second_mode(const ExactPosterior& posterior, const Mode& mode,
                             const Coordinates& coordinates);

}  // namespace ulisse
