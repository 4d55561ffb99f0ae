#pragma once

#include "ulisse/setup_stage.h"
#include "ulisse/steps.h"

namespace ulisse {

// What the sampler `ulisse` finds out before it samples.
struct UlisseSetup {
  Mode mode;
  long searched_rows = 0;        // of the subset in which modes were searched for; 0: all rows
  double other_modes_share = 0;  // of the subset's posterior mass
  bool by_float = false;         // the solves of the set-up
  Anchor anchor;                 // with its preconditioner where steps are Langevin's, or empty
  PosteriorShape shape;
  double trace_error = 0;  // of the gradient at the anchor, in posterior standard deviations
  Steps steps;
  Reason why_no_surrogate;  // none where there is one
  long lessons = 0;         // gradients that were taken for one

  const Survey& survey() const { return shape.survey; }
  // Null where steps are others.
  const ExactSteps* exact() const { return std::get_if<ExactSteps>(&steps); }
  const LangevinSteps* langevin() const { return std::get_if<LangevinSteps>(&steps); }
  const SurrogateSteps* surrogate() const { return std::get_if<SurrogateSteps>(&steps); }
  const CorrectedSteps* corrected() const { return std::get_if<CorrectedSteps>(&steps); }
  // Of gradients by the anchor; null where they are exact.
  const GradientPlan* plan() const;
  long unfinished() const;  // solves
};

// The backend that a set-up which was begun has chosen; empty where it has not come so far.
std::string backend_of_setup(StageStore& store, Index rows, Index parameters);

// Runs the stages one after the other, but for those that `store` has: each is kept there when it
// ends.
UlisseSetup find_setup(const SetupProblem& problem, StageStore& store);

}  // namespace ulisse
