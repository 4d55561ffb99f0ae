#pragma once

#include "gradient/working_covariance.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

// Whether solves by the covariance in lower precision, verified by the precise one, come to the
// tolerance in less time: both solve for y once. Products are counted, not timed, so that the
// answer is the same on every machine.
bool fast_solves_pay(const WorkingOperator& k, const LowRankPreconditioner& preconditioner,
                     const ConstVector& y, const CgOptions& cg);

}  // namespace ulisse
