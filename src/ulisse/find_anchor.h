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

// Half of the bank, where that leaves an error that is small beside what is certified; all of it
// where it does not. Each gradient from then on takes a third less.
Index probes_enough(const Anchor& anchor, const Curvature& curvature);

// The first `count` probes of the bank from now on. What is known of the trace stays.
void keep_probes(Anchor& anchor, Index count);

}  // namespace ulisse
