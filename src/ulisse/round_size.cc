#include "ulisse/round_size.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>

namespace ulisse {

namespace {

// Fewer than 8 values say next to nothing of their own spread, by which the limit is made. One
// place farther out for each four draws; fewer than 4 would leave tails of three parameters unseen
// on one side or the other.
constexpr std::array<Index, 5> kDraws = {8, 12, 16, 24, 32};
constexpr Index kFewestFarther = 4;

RoundSize of_draws(Index draws) { return {draws, std::max(kFewestFarther, draws / 4)}; }

double expected_limit(const ExpectedErrors& expected, Index draws, double level) {
  // As the square of one normal number spreads.
  const SampleSpread spread{expected.squared_error, std::sqrt(2.0) * expected.squared_error,
                            skewness_allowed(draws)};
  const double divergence = upper_limit_of_mean(spread, draws, level) +
                            kShareOfTails * std::max(0.0, expected.farther_out);
  return distance_limit(divergence, expected.curvature, expected.least_sd, expected.stretch);
}

}  // namespace

RoundSize learning_round(Index parameters) {
  constexpr Index kFewestPlaces = 8, kMostPlaces = 100;
  const Index places = std::clamp(2 * parameters, kFewestPlaces, kMostPlaces);
  return {places - places / 4, places / 4};
}

std::vector<Place> choose_places(const Matrix& draws, const Vector& mean, const RoundSize& size) {
  const Index count = size.places();
  std::vector<Place> places;
  for (Index i = 0; i < count; ++i) {
    const bool is_draw = (i + 1) * size.farther / count == i * size.farther / count;
    const Vector draw = draws.col(i * (draws.cols() / count));
    places.push_back({is_draw ? draw : Vector(mean + kFarther * (draw - mean)), is_draw});
  }
  return places;
}

double skewness_allowed(Index draws) {
  const double fewer = static_cast<double>(kDraws.back()) / static_cast<double>(draws);
  return kSkewnessOfSquares * std::max(1.0, fewer);
}

RoundSize largest_attempt() { return of_draws(kDraws.back()); }

RoundSize attempt_size(const ExpectedErrors& expected, double goal, double level, Index most) {
  constexpr double kMargin = 0.5;
  if (!std::isfinite(expected.squared_error)) return {};
  for (const Index draws : kDraws) {
    if (draws > most) break;
    if (expected_limit(expected, draws, level) < kMargin * goal) return of_draws(draws);
  }
  return {};
}

// With A the covariance of what is known and B that with the gradient at a place, the trace of
// C - B'A^-1 B, and the nugget.
double expected_squared_error(const SurrogateKernel& kernel, const Whitening& whitening,
                              const Lessons& known, const Matrix& at) {
  constexpr Index kMostNumbers = 1500;
  const Index p = at.rows(), count = static_cast<Index>(known.size()), size = p * count;
  if (count == 0 || size > kMostNumbers) return INFINITY;
  Matrix places(p, count + at.cols());
  for (Index i = 0; i < count; ++i) places.col(i) = whitening.v(known[i].psi);
  places.rightCols(at.cols()) = at;
  Matrix all = kernel.gradient_covariances(places);
  for (Index i = 0; i < count; ++i) {
    all.block(i * p, i * p, p, p) += whitening.noise(known[i]);
  }
  all.diagonal().array() += kernel.nugget;
  const Eigen::LLT<Matrix> factor(all.topLeftCorner(size, size));
  if (factor.info() != Eigen::Success) return INFINITY;
  const Matrix explained = factor.matrixL().solve(all.topRightCorner(size, p * at.cols()));
  const double left = all.diagonal().tail(p * at.cols()).sum() - explained.squaredNorm();
  return std::max(0.0, left) / static_cast<double>(at.cols());
}

}  // namespace ulisse
