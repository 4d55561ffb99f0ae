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

// The sampler `ulisse` goes to another mode where that holds little: its steps are scaled to the
// first, and what they do wrong around the second then changes little.
bool is_worth_swaps(const Mode& mode);

// Moves there and back in the sampler's coordinates; none where its steps would not be stable.
std::optional<ModeSwap> swap_with_second_mode(const ExactPosterior& posterior,
                                              const UlisseSetup& setup);

}  // namespace ulisse
