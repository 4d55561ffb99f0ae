#pragma once

#include <cstdint>

#include "ulisse/covariance.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

struct RankChoice {
  std::shared_ptr<const Preconditioner> preconditioner;
  int iterations = 0;  // that a solve for y to a tenth of it took with it
};

// The rank, of `most` and its halves, at which a solve costs least: iterations are counted by
// solving, and their cost in operations, so that the choice is the same on every machine.
RankChoice choose_rank(const CovarianceOperator& k, Index dimensions, const ConstVector& y,
                       Index most, std::uint64_t seed);

// Operations of one CG iteration: a product of K with `columns` right-hand sides, which takes
// n^2/2 (2(d + 2) + 34 + 4 columns), and an application of a preconditioner of the given rank.
double iteration_cost(Index n, Index dimensions, Index columns, Index rank);

}  // namespace ulisse
