#pragma once

#include <string>
#include <variant>

#include "ulisse/gradient_plan.h"
#include "ulisse/posterior_shape.h"

namespace ulisse {

// How chains move: by the steps of NUTS on the exact density, or by Langevin's on estimated
// gradients. Draws from a surrogate of the density will be the third.
struct ExactSteps {
  std::string why;
};
struct LangevinSteps {
  GradientPlan plan;
};
using Steps = std::variant<ExactSteps, LangevinSteps>;

// Why Langevin's steps are not to be trusted with such a posterior, or do not pay; empty where they
// are.
std::string why_exact(const SetupProblem& problem, const PosteriorShape& shape);

}  // namespace ulisse
