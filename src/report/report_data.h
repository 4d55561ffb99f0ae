#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "report/prediction_table.h"
#include "ulisse/fit.h"

namespace ulisse {

// Everything that a report shows, as JSON: numbers are computed here, the page only draws them.
// Draws are of psi = log(theta). Throws InputError when predictions are of another
// fit.
nlohmann::ordered_json report_data(const Fit& fit,
                                   const std::optional<PredictionTable>& predictions);

}  // namespace ulisse
