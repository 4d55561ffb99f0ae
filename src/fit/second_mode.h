#pragma once

#include <optional>

#include "fit/ulisse_setup.h"
#include "sample/mode_swap.h"
#include "ulisse/exact.h"

namespace ulisse {

// Another mode counts from this share of the posterior on.
constexpr double kModeThatCounts = 0.01;

// The covariance of the posterior around psi by Laplace's method; none where psi is no maximum.
std::optional<Matrix> covariance_around(const ExactPosterior& posterior, const Vector& psi);

// Looks at the posterior around the other mode, in the sampler's coordinates, where that holds
// enough for the sampler `ulisse` to go there.
void survey_second_mode(const ExactPosterior& posterior, UlisseSetup& setup);

// Moves to the second mode and back, where there is one.
std::optional<ModeSwap> swap_with_second_mode(const UlisseSetup& setup);

}  // namespace ulisse
