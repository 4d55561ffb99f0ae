#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fit/fit_record.h"
#include "ulisse/fit.h"

namespace ulisse {

// Of a fit's inputs; `parameters` are the summaries of theta. None of a fit that hardly began.
std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters);

nlohmann::ordered_json to_json(const std::vector<LengthScale>& scales);

}  // namespace ulisse
