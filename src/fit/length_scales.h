#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fit/fit_record.h"
#include "ulisse/diagnose.h"

namespace ulisse {

// How far correlation reaches along an input, in that input's own units: quantiles over the draws.
struct LengthScale {
  std::string input;
  double q5, q50, q95;
};

// Of a fit's inputs; `parameters` are the summaries of theta. None of a fit that hardly began.
std::vector<LengthScale> length_scales(const FitRecord& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters);

nlohmann::ordered_json to_json(const std::vector<LengthScale>& scales);

}  // namespace ulisse
