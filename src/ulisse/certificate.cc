#include "ulisse/certificate.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>

namespace ulisse {

// The first term of Hall's expansion of the studentised mean's law: where values are skewed to the
// right, as squares are, small means come with small spreads, and Student's limit is too low.
double upper_limit_of_mean(const Vector& values, double level, double least_skewness) {
  const auto n = static_cast<double>(values.size());
  if (n < 3) return INFINITY;
  const Eigen::ArrayXd deviations = values.array() - values.mean();
  const double variance = deviations.square().sum() / (n - 1);
  if (!(variance > 0)) return values.mean();
  const double skewness = deviations.cube().mean() / std::pow(variance, 1.5);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), level);
  const double shift = std::max(least_skewness, skewness) * (2 * t * t + 1) / (6 * std::sqrt(n));
  return std::max(0.0, values.mean()) + std::sqrt(variance / n) * (t + shift);
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

Certificate certify(const Judged& judged, double level) {
  // That of the square of one normal number: of sums of several alike it is less, and of errors
  // that grow far out more.
  const double least_skewness = std::sqrt(8.0);
  // The share of draws that counts for tails: of normal draws of three parameters an eighth is
  // 1.4 times as far out as most.
  constexpr double kShareOfTails = 0.1;
  Certificate found;
  found.level = level;
  found.divergence = judged.squared_errors.mean();
  found.divergence_limit = upper_limit_of_mean(judged.squared_errors, level, least_skewness) +
                           kShareOfTails * std::max(0.0, judged.squared_error_farther_out);
  found.curvature = judged.curvature;
  found.least_sd = judged.least_sd;
  found.gradients = judged.squared_errors.size();
  if (!(judged.curvature > 0 && std::isfinite(found.divergence_limit))) return found;
  const double distance =
      judged.stretch * std::sqrt(std::max(0.0, found.divergence_limit)) / judged.curvature;
  // Standard deviations of the posterior are those of the draws to within as much.
  if (distance < judged.least_sd) found.limit = distance / (judged.least_sd - distance);
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
