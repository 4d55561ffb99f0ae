#include "predict/scores.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/watch.h"

namespace ulisse {

namespace {

Scores as_scores(const Vector& v) {
  return {.rmse = v(0), .nlpd = v(1), .crps = v(2), .coverage = v(3), .width = v(4)};
}

}  // namespace

PointScores point_scores(const PredictiveDraws& predictions, const ConstVector& y, double low,
                         double high) {
  if (y.size() != predictions.points() || y.size() == 0) {
    throw std::invalid_argument("scores want one target for each prediction");
  }
  PointScores parts(y.size(), 5);
  tbb::parallel_for(Index(0), y.size(), [&](Index i) {
    keep_watch();
    const GaussianMixture mixture = predictions.of_target(i);
    const double from = mixture.quantile(low), to = mixture.quantile(high);
    parts.row(i) << std::pow(mixture.mean() - y(i), 2), -mixture.log_density(y(i)),
        mixture.crps(y(i)), from <= y(i) && y(i) <= to ? 1 : 0, to - from;
  });
  return parts;
}

Scores mean_scores(const PointScores& points) {
  Vector means = points.colwise().mean();
  means(0) = std::sqrt(means(0));
  return as_scores(means);
}

ScoreDifferences compare_scores(const PointScores& first, const PointScores& second) {
  if (first.rows() != second.rows()) {
    throw std::invalid_argument("scores are compared at the same points");
  }
  const auto count = static_cast<double>(first.rows());
  // A root's change is that of the mean square over twice itself.
  const auto linear = [](PointScores scores) {
    const double rmse = mean_scores(scores).rmse;
    scores.col(0) /= 2 * std::max(rmse, std::numeric_limits<double>::min());
    return scores;
  };
  const Matrix apart = linear(first) - linear(second);
  Vector means = apart.colwise().mean();
  Vector errors =
      ((apart.rowwise() - means.transpose()).colwise().squaredNorm() / (count * (count - 1)))
          .cwiseSqrt();
  means(0) = mean_scores(first).rmse - mean_scores(second).rmse;
  return {as_scores(means), as_scores(errors)};
}

}  // namespace ulisse
