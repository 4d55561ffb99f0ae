#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fit/fit_record.h"

namespace ulisse {

inline constexpr const char* kInDataUnits = " in the units of the table";

// What a fit is of: a table, a model, and how it was sampled.
struct WhatWasFitted {
  std::string file, target;  // empty where an old fit does not say
  long rows = 0;
  std::vector<std::string> inputs;
  bool standardised = true;
  std::string kernel;
  std::vector<std::string> terms;  // of the kernel, as expressions
  std::vector<std::string> trend;  // as given; none: no trend
  double trend_scale = 10;
  std::string known_noise = {};         // the column of measurement errors
  std::vector<std::string> fixed = {};  // as given, and kInDataUnits where that is so
  // Of each parameter, "lengthscale=inverse-gamma(3,2)", and kInDataUnits where that is so.
  std::vector<std::pair<std::string, std::string>> priors;
  std::string preset;
  std::uint64_t seed = 0;
};

WhatWasFitted what_was_fitted(const FitRecord& record);

nlohmann::ordered_json to_json(const WhatWasFitted& fitted);

}  // namespace ulisse
