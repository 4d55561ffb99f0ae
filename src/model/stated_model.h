#pragma once

#include "ulisse/dataset.h"
#include "ulisse/model.h"

namespace ulisse {

// What a fit writes down of a model, however that was made: the options that it was made by, or
// others that make the same mean, kernel, noise and fixed parameters for the columns of `data`.
// Priors are not in them where they were set by a program: a fit keeps those of each parameter.
// Throws std::invalid_argument where there are no such options.
ModelOptions stated(const Model& model, const Dataset& data);

}  // namespace ulisse
