#pragma once

#include <functional>

#include "ulisse/setup_problem.h"

namespace ulisse {

// 1/2 tr(K^-1 dK) at the anchor before it is averaged over more probes than the bank's: exactly
// where that fits, else with the preconditioner's own trace as control where that saves time. How
// well it is to be known is judged by `metric`.
AnchorTrace first_trace(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                        const Matrix& metric);

// Averages the trace over more probes until its error is small against the posterior. It may be
// called again with another metric, and with a trace whose averaging was ended: probes go on where
// they were. `averaged` is called after each block of them.
AnchorTrace averaged_trace(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                           const Matrix& metric, AnchorTrace trace,
                           const std::function<void(const AnchorTrace&)>& averaged = {});

// In posterior standard deviations.
double trace_error(const AnchorTrace& trace, const Matrix& metric);

}  // namespace ulisse
