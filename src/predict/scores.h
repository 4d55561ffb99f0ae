#pragma once

#include "predict/predict.h"

namespace ulisse {

// How good predictions of a target that is known were; means over points.
struct Scores {
  double rmse = 0;      // of the mixtures' means
  double nlpd = 0;      // mean negative log predictive density
  double crps = 0;      // continuous ranked probability score
  double coverage = 0;  // share of targets within the interval
  double width = 0;     // of the interval
};

// Of the target, noise included; the interval lies between the quantiles of `low` and `high`.
Scores score(const Predictions& predictions, const ConstVector& y, double low, double high);

}  // namespace ulisse
