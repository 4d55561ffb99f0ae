#pragma once

#include "ulisse/modes.h"
#include "ulisse/survey.h"

namespace ulisse {

// The preconditioner whose rank costs least, the bank of probes and the solutions at the mode.
Anchor find_anchor(const SetupProblem& problem, const ModeOfAll& mode);

// The preconditioner of an anchor that was saved: the same when it is made again.
std::shared_ptr<const Preconditioner> preconditioner_again(const SetupProblem& problem,
                                                           const Anchor& anchor);

// The metric at an exact mode, without the anchor's slopes.
Curvature exact_curvature(const SetupProblem& problem, const ModeOfAll& mode);

// The curvature around the anchor; exact where the mode is.
Curvature find_curvature(const SetupProblem& problem, const Anchor& anchor, const ModeOfAll& mode);

}  // namespace ulisse
