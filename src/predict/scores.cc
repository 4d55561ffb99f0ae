#include "predict/scores.h"

#include <oneapi/tbb/parallel_for.h>

#include <cmath>
#include <stdexcept>

namespace ulisse {

Scores score(const Predictions& predictions, const ConstVector& y, double low, double high) {
  if (y.size() != predictions.points() || y.size() == 0) {
    throw std::invalid_argument("scores want one target for each prediction");
  }
  Matrix parts(y.size(), 5);
  tbb::parallel_for(Index(0), y.size(), [&](Index i) {
    const GaussianMixture mixture = predictions.of_target(i);
    const double from = mixture.quantile(low), to = mixture.quantile(high);
    parts.row(i) << std::pow(mixture.mean() - y(i), 2), -mixture.log_density(y(i)),
        mixture.crps(y(i)), from <= y(i) && y(i) <= to ? 1 : 0, to - from;
  });
  const Vector means = parts.colwise().mean();
  return {.rmse = std::sqrt(means(0)),
          .nlpd = means(1),
          .crps = means(2),
          .coverage = means(3),
          .width = means(4)};
}

}  // namespace ulisse
