#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "fit/folder.h"
#include "report/prediction_table.h"

namespace ulisse {

// Everything that a report shows, as JSON: numbers are computed here, the page only draws them.
// Draws are of psi = log(theta). Throws InputError when the folder holds no fit, or predictions are
// of another.
nlohmann::ordered_json report_data(const FitFolder& folder,
                                   const std::optional<PredictionTable>& predictions);

}  // namespace ulisse
