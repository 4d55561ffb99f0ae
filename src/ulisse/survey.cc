#include "ulisse/survey.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/watch.h"
#include "ulisse/curved_gradient.h"

namespace ulisse {

Matrix positive_inverse(const Matrix& information, const Matrix& guess, bool& repaired) {
  const Matrix factor = guess.llt().matrixL();
  const Matrix whitened = factor.transpose() * information * factor;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (whitened + whitened.transpose()));
  constexpr double kMinRelativeCurvature = 1e-3;
  repaired = eigen.eigenvalues().minCoeff() < kMinRelativeCurvature;
  const Vector values = eigen.eigenvalues().cwiseMax(kMinRelativeCurvature);
  const Matrix axes = factor * eigen.eigenvectors();
  return axes * values.cwiseInverse().asDiagonal() * axes.transpose();
}

namespace {

// Derivatives of the log density, from its first one at three places h apart.
double third_over_second(double up, double here, double down, double h) {
  return (2 * here - down - up) / (h * h) / ((down - up) / (2 * h));
}

GradientEstimate gradient_at(const Vector& u, const Coordinates& coordinates,
                             const GradientAt& gradient) {
  return carried_to(coordinates, u, gradient(coordinates.psi(u)));
}

// A few Newton steps with a metric that is nearly right. None where solves do not converge.
std::optional<Vector> mode_near(Vector u, const Coordinates& coordinates,
                                const GradientAt& gradient, const Matrix& factor) {
  constexpr double kMaxDistanceInSd = 0.1, kMaxStepInSd = 1.5;
  for (int i = 0; i < 5; ++i) {
    const GradientEstimate here = gradient_at(u, coordinates, gradient);
    if (here.solves.solve.unfinished() > 0) return std::nullopt;
    const Vector slope = factor.transpose() * here.gradient;
    const double length = slope.norm();
    if (!(length > kMaxDistanceInSd)) break;
    u += std::min(1.0, kMaxStepInSd / length) * (factor * slope);
  }
  return u;
}

// From the centre, along each axis of the metric, where gradients are compared with a Gaussian's.
constexpr double kSurveyDistanceInSd = 1.5;

// What is not a number is no small error.
double unless_nan(double value) { return std::isnan(value) ? INFINITY : value; }

double whitened_size(const Matrix& factor, const Matrix& covariance) {
  return unless_nan(std::sqrt((factor.transpose() * covariance * factor).trace()));
}

std::string nth_gradient(Index number, Index most) {
  return fmt::format("gradient {} of {}", number, most);
}

}  // namespace

void keep_lesson(Lessons& lessons, const Vector& psi, const GradientEstimate& estimate,
                 const Anchor& anchor) {
  if (!estimate.gradient.allFinite() || estimate.solves.solve.unfinished() > 0) return;
  lessons.push_back({psi, estimate.gradient + anchor.trace.value, estimate.covariance});
}

Curvature survey_curvature(const Model& model, const WorkingCovariance& covariance,
                           const Anchor& anchor, const Matrix& guess, const CgOptions& cg) {
  const AnchoredGradient gradient(model, covariance, anchor,
                                  {.probes = 1, .cg = cg, .careful = true});
  const Index p = anchor.psi.size();
  Matrix information(p, p);
  Curvature found;
  WatchStep step;
  for (Index j = 0; j < p; ++j) {
    const double h = 0.5 * std::sqrt(guess(j, j));
    Vector up = anchor.psi, down = anchor.psi;
    up(j) += h;
    down(j) -= h;
    Matrix above, below;
    step.say([&] { return nth_gradient(2 * j + 1, 2 * p); });
    const GradientEstimate g_up = gradient.with_whole_bank(up, above);
    step.say([&] { return nth_gradient(2 * j + 2, 2 * p); });
    const GradientEstimate g_down = gradient.with_whole_bank(down, below);
    found.unfinished += g_up.solves.solve.unfinished() + g_down.solves.solve.unfinished();
    keep_lesson(found.lessons, up, g_up, anchor);
    keep_lesson(found.lessons, down, g_down, anchor);
    information.col(j) = (g_down.gradient - g_up.gradient) / (2 * h);
    found.slopes.emplace_back((above - below) / (2 * h));
  }
  found.metric = positive_inverse(information, guess, found.repaired);
  return found;
}

bool Curvature::fits(Index n, Index p) const {
  return metric.rows() == p && metric.cols() == p && slopes.size() == static_cast<std::size_t>(p) &&
         std::all_of(slopes.begin(), slopes.end(),
                     [&](const Matrix& slope) {
                       return slope.rows() == n && slope.cols() == slopes[0].cols();
                     }) &&
         std::all_of(lessons.begin(), lessons.end(), [p](const Lesson& l) { return l.fits(p); });
}

bool Survey::fits(Index /*n*/, Index p) const {
  return metric.rows() == p && metric.cols() == p && centre.size() == p && newton.size() == p &&
         coordinates.is_of(p) &&
         std::all_of(lessons.begin(), lessons.end(), [p](const Lesson& l) { return l.fits(p); });
}

Survey survey_from(const ConstVector& psi, const Curvature& curvature) {
  Survey survey;
  survey.coordinates = Coordinates(psi);
  survey.centre = Vector::Zero(psi.size());
  survey.metric = curvature.metric;
  survey.repaired = curvature.repaired;
  survey.unfinished = curvature.unfinished;
  return survey;
}

void survey_bend(const GradientAt& gradient, Survey& survey) {
  const auto at = [&](const Vector& u) { return gradient_at(u, survey.coordinates, gradient); };
  const Matrix factor = survey.metric.llt().matrixL();
  const Vector at_centre = factor.transpose() * at(survey.centre).gradient;
  survey.mode_distance = unless_nan(at_centre.norm());
  survey.newton = factor * at_centre;
  survey.bend = 0;
  double bank_error = 0;
  Vector worst;  // the largest deviation from a Gaussian's gradient
  const auto look_along = [&](const Vector& axis) {
    for (const double side : {kSurveyDistanceInSd, -kSurveyDistanceInSd}) {
      const GradientEstimate there = at(survey.centre + side * (factor * axis));
      survey.unfinished += there.solves.solve.unfinished();
      const Vector deviation = factor.transpose() * there.gradient - at_centre + side * axis;
      const double bend = unless_nan(deviation.norm() / kSurveyDistanceInSd);
      if (!(bend <= survey.bend)) worst = deviation;
      survey.bend = std::max(survey.bend, bend);
      bank_error = std::max(bank_error, whitened_size(factor, there.covariance));
    }
  };
  const Index p = survey.centre.size();
  for (Index i = 0; i < p; ++i) look_along(Vector::Unit(p, i));
  survey.bank_error = bank_error;
  // A skew between the axes shows along them but in part; the deviation points along it.
  constexpr int kMaxTurns = 3;
  constexpr double kMinGrowth = 1.1;
  for (int turn = 0; p > 1 && turn < kMaxTurns && worst.norm() > 0 && worst.allFinite(); ++turn) {
    const double before = survey.bend;
    look_along(worst.normalized());
    if (!(survey.bend > kMinGrowth * before)) break;
  }
}

void survey_bank(const AnchoredGradient& gradient, Survey& survey) {
  const Matrix factor = survey.metric.llt().matrixL();
  survey.bank_error = 0;
  WatchStep step;
  for (Index i = 0; i < survey.centre.size(); ++i) {
    for (const double side : {kSurveyDistanceInSd, -kSurveyDistanceInSd}) {
      step.say([&] { return nth_gradient(2 * i + (side > 0 ? 1 : 2), 2 * survey.centre.size()); });
      const Vector u = survey.centre + side * factor.col(i);
      const GradientEstimate there =
          carried_to(survey.coordinates, u, gradient.with_whole_bank(survey.coordinates.psi(u)));
      survey.unfinished += there.solves.solve.unfinished();
      survey.bank_error = std::max(survey.bank_error, whitened_size(factor, there.covariance));
    }
  }
}

// The log density of s log(Gamma) has third over second derivatives s at its mode, and theta^(s/3)
// has no third one there; a little less suits both sides better 1.5 standard deviations away.
// Not so large that a power's end would be within 2.5 standard deviations.
Vector exponents_by(const GradientAt& gradient, const Vector& psi, const Matrix& metric) {
  constexpr double kShareOfThirdDerivative = 0.3, kMaxExponentTimesSd = 0.4;
  const Vector here = gradient(psi).gradient;
  Vector exponents(psi.size());
  for (Index j = 0; j < psi.size(); ++j) {
    const double h = 0.5 * std::sqrt(metric(j, j));
    Vector up = psi, down = psi;
    up(j) += h;
    down(j) -= h;
    const double third =
        third_over_second(gradient(up).gradient(j), here(j), gradient(down).gradient(j), h);
    const double most = kMaxExponentTimesSd / std::sqrt(metric(j, j));
    exponents(j) =
        std::isfinite(third) ? std::clamp(kShareOfThirdDerivative * third, -most, most) : 0;
  }
  return exponents;
}

Survey survey_in(const Coordinates& coordinates, const GradientAt& gradient, const Survey& in_psi) {
  constexpr double kStepInSd = 0.75;
  Survey survey = in_psi;
  survey.coordinates = coordinates;
  survey.bend_of_psi = in_psi.bend;
  // Each gradient whose solves do not converge takes as long as many that do: one is enough.
  const auto nowhere = [&] {
    survey.bend = INFINITY;
    return survey;
  };
  const Matrix factor = in_psi.metric.llt().matrixL();
  const auto mode = mode_near(in_psi.centre, coordinates, gradient, factor);
  if (!mode) return nowhere();
  survey.centre = *mode;
  Matrix information(factor.rows(), factor.cols());  // in units of the metric so far
  for (Index i = 0; i < factor.cols(); ++i) {
    const Vector away = kStepInSd * factor.col(i);
    const GradientEstimate up = gradient_at(survey.centre + away, coordinates, gradient);
    const GradientEstimate down = gradient_at(survey.centre - away, coordinates, gradient);
    if (up.solves.solve.unfinished() + down.solves.solve.unfinished() > 0) return nowhere();
    information.col(i) = factor.transpose() * (down.gradient - up.gradient) / (2 * kStepInSd);
  }
  const Matrix unit = Matrix::Identity(factor.rows(), factor.cols());
  survey.metric =
      factor * positive_inverse(information, unit, survey.repaired) * factor.transpose();
  survey_bend(gradient, survey);
  // The anchor stays where it is, near the mode or not.
  survey.mode_distance = std::max(survey.mode_distance, in_psi.mode_distance);
  return survey;
}

}  // namespace ulisse
