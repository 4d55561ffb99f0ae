#pragma once

#include <variant>

#include "ulisse/gradient_plan.h"
#include "ulisse/langevin_start.h"
#include "ulisse/learn_surrogate.h"
#include "ulisse/posterior_shape.h"
#include "ulisse/reason.h"

namespace ulisse {

// How chains move: by the steps of NUTS on the exact density, by the same on a surrogate of it that
// is certified to be near it or corrected by the exact density, or by Langevin's on estimated
// gradients.
struct ExactSteps {
  Reason why;
};
struct LangevinSteps {
  GradientPlan plan;
  LangevinStart start;
};
struct SurrogateSteps {
  Learning learnt;
  GradientPlan plan;  // the errors of the gradients that it was learnt from
};
// Metropolis steps on the exact density, proposed by a surrogate that could not be certified.
struct CorrectedSteps {
  Reason why;
  Learning learnt;
  double acceptance = 0;  // of proposals, as expected
};
using Steps = std::variant<ExactSteps, LangevinSteps, SurrogateSteps, CorrectedSteps>;

// Up to so many rows an exact density takes less time than the gradients that a Langevin step's
// draw takes where the posterior is hard.
constexpr Index kMaxCorrectedRows = 6000;

// Why no surrogate is learnt of such a posterior; none where one is. other_modes_share: of the
// posterior, or of that of a subset, what other modes hold.
Reason why_no_surrogate(const SetupProblem& problem, const PosteriorShape& shape,
                        double other_modes_share);

// Why what was learnt is not certified; none where it is.
Reason why_uncertified(const SetupProblem& problem, const Learning& learnt);

// Why Langevin's steps are not to be trusted with such a posterior, or do not pay; none where they
// are, and where exact ones, or corrected ones, take too long.
Reason why_corrected(const SetupProblem& problem, const PosteriorShape& shape);
Reason why_exact(const SetupProblem& problem, const PosteriorShape& shape);

// Gradients for a surrogate, at most, beyond the survey's: the posterior of few parameters takes
// fifty to a hundred, and a covariance of more numbers than these takes seconds to factorise.
long most_lessons(Index parameters);

}  // namespace ulisse
