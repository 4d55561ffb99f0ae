#include "ulisse/langevin_start.h"

#include <cmath>

namespace ulisse {

namespace {

bool is_near(const Learning& learnt) {
  // Of each parameter's gradient, whose own standard deviation is 1 in whitened coordinates: means
  // of draws are off by about as much.
  constexpr double kMostError = 0.3;
  if (learnt.mean.size() == 0) return false;
  const double each = learnt.best_error / std::sqrt(static_cast<double>(learnt.mean.size()));
  return learnt.mean.allFinite() && learnt.covariance.allFinite() && each <= kMostError;
}

}  // namespace

LangevinStart langevin_start(const Survey& survey) {
  return {.centre = survey.centre, .covariance = survey.metric};
}

LangevinStart langevin_start(const Survey& survey, const Learning& learnt) {
  if (!is_near(learnt)) return langevin_start(survey);
  const Whitening& whitening = learnt.surrogate.whitening();
  const Matrix& factor = whitening.factor();
  return {.centre = whitening.u(learnt.mean),
          .covariance = factor * learnt.covariance * factor.transpose(),
          .is_learnt = true};
}

}  // namespace ulisse
