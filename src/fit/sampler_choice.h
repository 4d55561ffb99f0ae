#pragma once

#include <string>

#include "fit/sampler_costs.h"
#include "ulisse/dataset.h"
#include "ulisse/model.h"
#include "ulisse/reason.h"

namespace ulisse {

struct SamplerChoice {
  std::string sampler;
  Reason reason{};  // none where there was no choice
};

// Timed on some of the rows, and scaled by the powers of n that each grows with.
SamplerCosts measure_costs(const Model& model, const Dataset& raw);

// The sampler for `auto`. `memory` is what may be used.
SamplerChoice choose_sampler(Index n, Index parameters, const SamplerCosts& costs,
                             std::size_t memory);

// What --sampler and --preset name, with the choice made where that is auto. `memory` 0 is half of
// the machine's.
SamplerChoice choose_sampler(const std::string& sampler, const std::string& preset,
                             const Dataset& raw, const Model& model, std::size_t memory);

}  // namespace ulisse
