#pragma once

#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// The file that ulisse predict writes, as far as a report shows it.
struct PredictionTable {
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
