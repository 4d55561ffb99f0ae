#include "ulisse/certificate.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>

namespace ulisse {

// The first term of Hall's expansion of the studentised mean's law: where values are skewed to the
// right, as squares are, small means come with small spreads, and Student's limit is too low.
double upper_limit_of_mean(const SampleSpread& of_values, Index count, double level) {
  const auto n = static_cast<double>(count);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), level);
  const double shift = of_values.skewness * (2 * t * t + 1) / (6 * std::sqrt(n));
  return std::max(0.0, of_values.mean) + of_values.sd / std::sqrt(n) * (t + shift);
}

double upper_limit_of_mean(const Vector& values, double level, double least_skewness) {
  const auto n = static_cast<double>(values.size());
  if (n < 3) return INFINITY;
  const Eigen::ArrayXd deviations = values.array() - values.mean();
  const double variance = deviations.square().sum() / (n - 1);
  if (!(variance > 0)) return values.mean();
  const double skewness = deviations.cube().mean() / std::pow(variance, 1.5);
  const SampleSpread spread{values.mean(), std::sqrt(variance), std::max(least_skewness, skewness)};
  return upper_limit_of_mean(spread, values.size(), level);
}

double squared_error(const Surrogate& surrogate, const Lesson& first, const Lesson& second) {
  const Whitening& whitening = surrogate.whitening();
  const Vector learnt = surrogate.log_density_and_gradient(whitening.v(first.psi)).gradient;
  return (learnt - whitening.gradient(first)).dot(learnt - whitening.gradient(second));
}

double least_curvature(const Surrogate& surrogate, const Matrix& draws) {
  double least = INFINITY;
  for (Index i = 0; i < draws.cols(); ++i) {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(surrogate.information(draws.col(i)),
                                                      Eigen::EigenvaluesOnly);
    least = std::min(least, eigen.eigenvalues().minCoeff());
  }
  return least;
}

double least_curvature(const Whitening& whitening, const Lessons& lessons) {
  constexpr double kMinDistance = 1, kMaxError = 0.125;
  std::vector<Vector> places, gradients;
  std::vector<Matrix> noise;
  for (const Lesson& lesson : lessons) {
    if (!lesson.is_finite()) continue;
    places.push_back(whitening.v(lesson.psi));
    gradients.push_back(whitening.gradient(lesson));
    noise.push_back(whitening.noise(lesson));
  }
  double least = INFINITY;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vector apart = places[i] - places[j];
      const double squared = apart.squaredNorm();
      if (squared < kMinDistance * kMinDistance) continue;
      const double error = std::sqrt(apart.dot((noise[i] + noise[j]) * apart)) / squared;
      if (error > kMaxError) continue;
      const double curvature = (gradients[j] - gradients[i]).dot(apart) / squared;
      least = std::min(least, curvature + 2 * error);
    }
  }
  return least;
}

// Standard deviations of the posterior are those of the draws to within the distance itself.
double distance_limit(double divergence_limit, double curvature, double least_sd, double stretch) {
  if (!(curvature > 0 && std::isfinite(divergence_limit))) return INFINITY;
  const double distance = stretch * std::sqrt(std::max(0.0, divergence_limit)) / curvature;
  return distance < least_sd ? distance / (least_sd - distance) : INFINITY;
}

Certificate certify(const Judged& judged, double level) {
  Certificate found;
  found.level = level;
  found.divergence = judged.squared_errors.mean();
  found.divergence_limit =
      upper_limit_of_mean(judged.squared_errors, level, judged.least_skewness) +
      kShareOfTails * std::max(0.0, judged.squared_error_farther_out);
  found.curvature = judged.curvature;
  found.least_sd = judged.least_sd;
  found.gradients = judged.squared_errors.size();
  found.limit =
      distance_limit(found.divergence_limit, judged.curvature, judged.least_sd, judged.stretch);
  return found;
}

double stretch(const Whitening& whitening, const Matrix& draws) {
  Matrix u(draws.rows(), draws.cols()), psi = u, slopes = u;
  for (Index i = 0; i < draws.cols(); ++i) {
    u.col(i) = whitening.u(draws.col(i));
    psi.col(i) = whitening.coordinates().psi(u.col(i));
    slopes.col(i) = whitening.coordinates().slope(u.col(i));
  }
  const auto sd_of = [](const Matrix& m) {
    const Matrix deviations = m.colwise() - m.rowwise().mean();
    return Vector(deviations.rowwise().norm() / std::sqrt(static_cast<double>(m.cols())));
  };
  const Vector steepest = slopes.rowwise().maxCoeff();
  return std::max(1.0, steepest.cwiseProduct(sd_of(u)).cwiseQuotient(sd_of(psi)).maxCoeff());
}

}  // namespace ulisse
