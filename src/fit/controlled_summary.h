#pragma once

#include <optional>

#include "diagnose/control_variates.h"
#include "fit/fit_draws.h"
#include "ulisse/diagnose.h"

namespace ulisse {

// Of chains of Langevin's steps whose run has ended: before that fit.json does not say how they
// moved. Nothing for others.
std::optional<diagnose::ControlVariates> control_variates_of(const FitRecord& record,
                                                             const FitDraws& draws);

// Mean, sd and their errors with control variates, where these lessen them.
void improve(diagnose::ParameterSummary& row, const ConstBlock& draws,
             const diagnose::ControlVariates& controls);

}  // namespace ulisse
