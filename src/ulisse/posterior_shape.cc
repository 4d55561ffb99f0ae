#include "ulisse/posterior_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "sample/langevin.h"

namespace ulisse {

namespace {

GradientEstimate exact_gradient(const ExactPosterior& posterior, const Vector& psi) {
  const LogDensity there = posterior.log_density_and_gradient(psi);
  GradientEstimate estimate;
  estimate.gradient = there.rejected() ? Vector::Constant(psi.size(), NAN) : there.gradient;
  estimate.covariance = Matrix::Zero(psi.size(), psi.size());
  return estimate;
}

// What the posterior is surveyed with, saying why each time, and how many gradients it takes at
// most. `anchor` must outlive it.
GradientAt reported_gradient(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                             const std::string& why, Index most) {
  const auto report = [&problem, why, most, count = std::make_shared<Index>(0)] {
    problem.report(fmt::format("{}, gradient {} of at most {}", why, ++*count, most));
  };
  if (!problem.exact_mode()) {
    return [&problem, &anchor, by_float, report](const Vector& psi) {
      report();
      return problem.precise_gradient(anchor, by_float).with_whole_bank(psi);
    };
  }
  const auto exact =
      std::make_shared<const ExactPosterior>(problem.model, problem.data.x, problem.data.y);
  return [report, exact](const Vector& psi) {
    report();
    return exact_gradient(*exact, psi);
  };
}

// Others where the posterior is far from Gaussian in psi, if it is less so there.
Survey least_bent(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                  const Survey& of_psi) {
  Survey best = of_psi;
  best.bend_of_psi = of_psi.bend;
  if (of_psi.bend < kMaxUnbiasedBend) return best;
  const Index p = problem.parameters();
  const GradientAt gradient = reported_gradient(
      problem, anchor, by_float, "looking for coordinates in which the posterior is less skewed",
      2 * p + 1 + 3 * (4 * p + 12));
  const Vector exponents = exponents_by(gradient, anchor.psi, of_psi.metric);
  const Survey in_psi = best;
  for (const double share : {1.0, 0.5, 0.25}) {
    const Survey there = survey_in(Coordinates(anchor.psi, share * exponents), gradient, in_psi);
    if (there.bend < best.bend && !there.repaired) best = there;
    if (best.bend < in_psi.bend / 2) break;
  }
  return best;
}

}  // namespace

bool PosteriorShape::fits(Index rows, Index p) const {
  const Index second = other.centre.size();
  return survey.fits(rows, p) && (second == 0 || second == p) &&
         other.covariance.rows() == second && other.covariance.cols() == second;
}

Survey survey_of_psi(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                     const Curvature& curvature) {
  Survey survey = survey_from(anchor.psi, curvature);
  survey_bend(reported_gradient(problem, anchor, by_float, "looking how Gaussian the posterior is",
                                2 * problem.parameters() + 7),
              survey);
  return survey;
}

Vector corrected_mode(const SetupProblem& problem, const Mode& mode, const Anchor& anchor,
                      const Survey& of_psi) {
  // A longer Newton step leaves the neighbourhood in which its metric holds.
  constexpr double kMaxNewtonStepInSd = 1;
  const bool corrected =
      !problem.exact_mode() && of_psi.mode_distance < kMaxNewtonStepInSd && !of_psi.repaired;
  return corrected ? Vector(anchor.psi + of_psi.newton) : mode.psi;
}

PosteriorShape choose_coordinates(const SetupProblem& problem, const Anchor& anchor,
                                  const ModeOfAll& mode, const Survey& of_psi) {
  PosteriorShape shape{.survey = least_bent(problem, anchor, mode.by_float, of_psi), .other = {}};
  if (!problem.exact_mode()) return shape;
  const ExactPosterior posterior(problem.model, problem.data.x, problem.data.y);
  shape.other = survey_second_mode(posterior, mode.found.mode, shape.survey.coordinates);
  return shape;
}

}  // namespace ulisse
