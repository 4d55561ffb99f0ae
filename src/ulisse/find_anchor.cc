#include "ulisse/find_anchor.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "ulisse/choose_preconditioner.h"

namespace ulisse {

Anchor find_anchor(const SetupProblem& problem, const ModeOfAll& mode) {
  const Vector& psi = mode.found.mode.psi;
  problem.report("choosing the preconditioner");
  const auto k = problem.covariance.at(psi);
  const PreconditionerChoice choice =
      choose_preconditioner(*k, problem.model.dimensions, problem.data.y, problem.preconditioner());
  problem.report("solving for the probes at the mode");
  return make_anchor(problem.working(mode.by_float), problem.data.y, psi, choice.preconditioner,
                     {.bank = static_cast<int>(problem.settings.anchor_probes),
                      .seed = problem.seed,
                      .cg = problem.cg_at(psi)});
}

std::shared_ptr<const Preconditioner> preconditioner_again(const SetupProblem& problem,
                                                           const Anchor& anchor) {
  problem.report("making the preconditioner again");
  const auto k = problem.covariance.at(anchor.psi);
  PreconditionerOptions most = problem.preconditioner();
  if (anchor.neighbours == 0) most.neighbours = 0;
  const PreconditionerChoices choices = preconditioners(*k, most);
  return choices.with(std::min(anchor.rank, choices.most.rank), anchor.neighbours > 0);
}

Curvature exact_curvature(const SetupProblem& problem, const ModeOfAll& mode) {
  Curvature found;
  found.metric = mode.found.mode.covariance;
  if (found.metric.size() > 0) return found;
  problem.report("measuring the curvature at the mode");
  const ExactPosterior posterior(problem.model, problem.data.x, problem.data.y);
  found.metric =
      positive_inverse(-posterior.hessian(mode.found.mode.psi), mode.found.guess, found.repaired);
  return found;
}

Curvature find_curvature(const SetupProblem& problem, const Anchor& anchor, const ModeOfAll& mode) {
  problem.report("measuring the curvature at the mode");
  Curvature found = survey_curvature(problem.model, problem.working(mode.by_float), anchor,
                                     mode.found.guess, problem.cg_at(anchor.psi));
  const Matrix& exact = mode.found.mode.covariance;
  if (problem.exact_mode() && exact.size() > 0) {
    found.metric = exact;
    found.repaired = false;
  }
  return found;
}

// The bank's error grows in proportion to the distance: from half a standard deviation, where the
// curvature was measured, to where the survey looks at it.
Index probes_enough(const Anchor& anchor, const Curvature& curvature) {
  constexpr double kMaxErrorInPosteriorSd = 0.02, kFarther = 3;
  constexpr Index kFewest = 16;
  const Index half = anchor.bank() / 2;
  if (half < kFewest || curvature.lessons.empty()) return anchor.bank();
  const Matrix factor = curvature.metric.llt().matrixL();
  double largest = 0;
  for (const Lesson& lesson : curvature.lessons) {
    const double error = std::sqrt((factor.transpose() * lesson.noise * factor).trace());
    if (!std::isfinite(error)) return anchor.bank();
    largest = std::max(largest, error);
  }
  const bool enough = std::sqrt(2.0) * kFarther * largest < kMaxErrorInPosteriorSd;
  return enough ? half : anchor.bank();
}

void keep_probes(Anchor& anchor, Index count) {
  if (count == anchor.bank()) return;
  anchor.right_sides.conservativeResize(Eigen::NoChange, 1 + count);
  anchor.solutions.conservativeResize(Eigen::NoChange, 1 + count);
  anchor.probe_weights.conservativeResize(Eigen::NoChange, count);
  anchor.probe_traces.conservativeResize(Eigen::NoChange, count);
  for (Matrix& slope : anchor.slopes) slope.conservativeResize(Eigen::NoChange, 1 + count);
}

}  // namespace ulisse
