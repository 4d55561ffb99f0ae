#pragma once

#include "ulisse/learn_surrogate.h"
#include "ulisse/survey.h"

namespace ulisse {

// Where Langevin's chains start: around a place, in the survey's coordinates.
struct LangevinStart {
  Vector centre;
  Matrix covariance;
  bool is_learnt = false;  // not that of the mode
};

// At the mode, with the curvature there.
LangevinStart langevin_start(const Survey& survey);

// Where the draws of a surrogate are that could not be certified; at the mode where its gradients
// are far off. Steps are scaled by the curvature at the mode all the same: where draws are spread
// far more widely than that the posterior is steep near the mode, and longer steps would run away.
LangevinStart langevin_start(const Survey& survey, const Learning& learnt);

}  // namespace ulisse
