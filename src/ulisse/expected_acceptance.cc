#include "ulisse/expected_acceptance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/side_by_side.h"
#include "ulisse/surrogate_draws.h"
#include "ulisse/whitened_density.h"

namespace ulisse {

namespace {

// A stream that no round of learning has.
constexpr std::uint64_t kAfterAllRounds = std::numeric_limits<std::uint32_t>::max();

// The mean of min(1, w_i / w_j) over pairs of different draws.
double mean_acceptance(const Vector& log_weights) {
  double sum = 0;
  const Index count = log_weights.size();
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < count; ++j) {
      if (i == j || std::isinf(log_weights(i)) || std::isinf(log_weights(j))) continue;
      sum += std::exp(std::min(0.0, log_weights(i) - log_weights(j)));
    }
  }
  return sum / static_cast<double>(count * (count - 1));
}

}  // namespace

double expected_acceptance(const SetupProblem& problem, const Learning& learnt) {
  constexpr Index kDraws = 24;
  problem.report("comparing the surrogate's density with the exact one");
  const Matrix draws = draws_of(learnt.surrogate, kDraws, problem.seed, kAfterAllRounds);
  const ExactPosterior posterior(problem.model, problem.data.x, problem.data.y);
  const WhitenedDensity density(posterior, learnt.surrogate.whitening());
  Vector log_weights(kDraws);
  const auto weigh = [&](std::size_t i) {
    const auto column = static_cast<Index>(i);
    const Vector v = draws.col(column);
    const LogDensity there = density.log_density(v);
    log_weights(column) =
        there.rejected() ? -INFINITY : there.value - learnt.surrogate.log_density(v).value;
  };
  if (problem.exact_mode()) {
    side_by_side(kDraws, weigh);
  } else {
    for (std::size_t i = 0; i < kDraws; ++i) weigh(i);
  }
  return mean_acceptance(log_weights);
}

}  // namespace ulisse
