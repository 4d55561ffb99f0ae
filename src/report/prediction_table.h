#pragma once

#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// The file that ulisse predict writes, as far as a report shows it.
struct PredictionTable {
  std::string path;        // for messages
  std::string fit;         // fit_id() of the fit; empty in files of older versions
  Vector row;              // of the new table, from 1
  std::string input_name;  // of the only input; empty where there are others
  Vector input;            // its values; of dates the days since 1970
  bool input_has_dates = false;
  Vector mean, sd;
  std::vector<double> levels;  // of the quantiles, in rising order
  Matrix quantiles;            // (points, levels)
  Vector observed;             // empty when the target was not known
  Vector below;                // predictive probability of less than the observed; empty without it

  Index points() const { return mean.size(); }
};

// Throws InputError when it is not such a file.
PredictionTable read_predictions(const std::string& path);

}  // namespace ulisse
