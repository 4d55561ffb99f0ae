#pragma once

#include "predict/predictive_draws.h"

namespace ulisse {

// How good predictions of a target that is known were; means over points.
struct Scores {
  double rmse = 0;      // of the mixtures' means
  double nlpd = 0;      // mean negative log predictive density
  double crps = 0;      // continuous ranked probability score
  double coverage = 0;  // share of targets within the interval
  double width = 0;     // of the interval
};

// A row for each point, in the order of Scores; squares of errors in place of their root.
using PointScores = Matrix;

// Of the target, noise included; the interval lies between the quantiles of `low` and `high`.
PointScores point_scores(const PredictiveDraws& predictions, const ConstVector& y, double low,
                         double high);

Scores mean_scores(const PointScores& points);

// By how much the first has larger scores than the second at the same points, and the standard
// errors of that, as if points were independent (NaN from one point).
struct ScoreDifferences {
  Scores difference, error;
};
ScoreDifferences compare_scores(const PointScores& first, const PointScores& second);

}  // namespace ulisse
