#include "ulisse/surrogate.h"

#include <cmath>

namespace ulisse {

namespace {

// Within this of the places' farthest h is learnt; beyond it bends to a constant along each line
// from the centre, over as much again.
constexpr double kBendInSd = 1;

// r within the reach; beyond it a smooth bend to the constant reach + kBendInSd.
ValueAndSlope bent(double r, double reach) {
  if (r <= reach) return {r, 1};
  const double t = std::tanh((r - reach) / kBendInSd);
  return {reach + kBendInSd * t, 1 - t * t};
}

}  // namespace

Surrogate::Surrogate(Whitening whitening)
    : whitening_(std::move(whitening)),
      places_(whitening_.parameters(), 0),
      weights_(whitening_.parameters(), 0) {}

Surrogate::Surrogate(Whitening whitening, const SurrogateKernel& kernel, Matrix places,
                     Matrix weights)
    : whitening_(std::move(whitening)),
      kernel_(kernel),
      places_(std::move(places)),
      weights_(std::move(weights)),
      reach_(places_.cols() > 0 ? places_.colwise().norm().maxCoeff() : 0) {}

bool Surrogate::is_of(Index p) const {
  return whitening_.is_of(p) && places_.rows() == p && weights_.rows() == p &&
         places_.cols() == weights_.cols();
}

LogDensity Surrogate::log_density_and_gradient(const Vector& v) const {
  LogDensity density;
  density.value = -0.5 * v.squaredNorm();
  density.gradient = -v;
  if (places_.cols() == 0) return density;
  if (!v.allFinite()) {  // a trajectory that has run away
    density.value = -std::numeric_limits<double>::infinity();
    density.rejection = "the coordinates are not finite";
    return density;
  }
  const double r = v.norm();
  const auto [length, slope] = bent(r, reach_);
  const double ratio = r > 0 ? length / r : 1;
  Vector gradient(v.size());
  density.value += kernel_.value_and_gradient(ratio * v, places_, weights_, gradient);
  density.gradient += ratio * gradient;
  if (ratio < 1) density.gradient += (slope - ratio) / (r * r) * v.dot(gradient) * v;
  return density;
}

Matrix Surrogate::information(const Vector& v) const {
  constexpr double kStep = 1e-4;
  const Index p = v.size();
  Matrix found(p, p);
  for (Index j = 0; j < p; ++j) {
    const Vector away = kStep * Vector::Unit(p, j);
    found.col(j) = (log_density_and_gradient(v - away).gradient -
                    log_density_and_gradient(v + away).gradient) /
                   (2 * kStep);
  }
  return 0.5 * (found + found.transpose());
}

}  // namespace ulisse
