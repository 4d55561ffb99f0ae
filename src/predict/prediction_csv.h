#pragma once

#include <string>
#include <vector>

#include "predict/predictive_draws.h"

namespace ulisse {

// What predictions.csv says besides the predictions.
struct PredictionCsv {
  std::string fit;                    // fit_id() of the fit
  std::vector<std::string> features;  // names of the inputs
  Matrix x;                           // (points, inputs), as in the new table
  Vector levels;                      // of the quantiles, rising
  bool latent = false;                // of the function, without noise
  Vector observed;                    // the target where it is known, else empty
};

// The name of an input's column: no other begins like this, whatever the input is called.
std::string input_column(const std::string& feature);

// The text of predictions.csv; docs/formats.md describes it.
std::string to_csv(const PredictiveDraws& predictions, const PredictionCsv& about);

}  // namespace ulisse
