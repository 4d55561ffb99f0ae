#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ulisse/diagnose.h"

namespace ulisse {

// How far correlation reaches along an input, in that input's own units: quantiles over the draws.
struct LengthScale {
  std::string input;
  double q5, q50, q95;
};

// Of a fit's inputs: `fit` is its fit.json, `parameters` the summaries of theta.
std::vector<LengthScale> length_scales(const nlohmann::ordered_json& fit,
                                       const std::vector<diagnose::ParameterSummary>& parameters);

nlohmann::ordered_json to_json(const std::vector<LengthScale>& scales);
std::string to_text(const std::vector<LengthScale>& scales);

}  // namespace ulisse
