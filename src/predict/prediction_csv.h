#pragma once

#include <string>
#include <vector>

#include "predict/predictive_draws.h"
#include "ulisse/dataset.h"

namespace ulisse {

// What predictions.csv says besides the predictions.
struct PredictionCsv {
  std::string fit;       // fit_id() of the fit
  const Dataset& table;  // the new one, whose target need not be known
  Vector levels;         // of the quantiles, rising
  bool latent = false;   // of the function, without noise
};

// The name of an input's column: no other begins like this, whatever the input is called.
std::string input_column(const std::string& feature);

// In quotes where a reader would take it for something else.
std::string csv_cell(const std::string& name);

// A value of an input of the table: a level of a category, or a date, by its name.
std::string input_cell(const Dataset& table, double value, Index column);

// The text of predictions.csv; docs/reference/formats.md describes it.
std::string to_csv(const PredictiveDraws& predictions, const PredictionCsv& about);

}  // namespace ulisse
