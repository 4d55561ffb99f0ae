#pragma once

#include "ulisse/preconditioner.h"
#include "ulisse/working_covariance.h"

namespace ulisse {

// Solves whose errors nobody averages out: by the covariance in lower precision where there is one,
// verified by residuals of the precise one, which goes on alone with what does not come to the
// tolerance.
SolveSummary verified_solve(const WorkingOperator& k, const Preconditioner& preconditioner,
                            const ConstBlock& b, Block x, const CgOptions& cg);

// Whether that takes less time than solves by the precise covariance alone: both solve for b, a few
// columns, from zero. Products are counted, not timed, so that the answer is the same on every
// machine.
bool fast_solves_pay(const WorkingOperator& k, const Preconditioner& preconditioner,
                     const ConstBlock& b, const CgOptions& cg);

// What a product in float takes of the time of one in double, measured at 22,784 rows.
constexpr double kPriceOfFloat = 0.55;

}  // namespace ulisse
