#pragma once

#include <cstdint>

#include "ulisse/covariance.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

struct PreconditionerChoice {
  std::shared_ptr<const Preconditioner> preconditioner;
  int iterations = 0;  // that a solve for y to a hundredth of it took with it
};

// The one with which solves cost least: of the largest rank and its halves, with and without
// neighbours. Iterations are counted by solving, and their cost in operations, so that the choice
// is the same on every machine.
PreconditionerChoice choose_preconditioner(const CovarianceOperator& k, Index dimensions,
                                           const ConstVector& y, const PreconditionerOptions& most);

// Operations of one CG iteration: a product of K with `columns` right-hand sides, which takes
// n^2/2 (2(d + 2) + 34 + 4 columns), and an application of a preconditioner.
double iteration_cost(Index n, Index dimensions, Index columns, Index rank, Index neighbours);

}  // namespace ulisse
