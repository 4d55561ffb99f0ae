#include "ulisse/posterior_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
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

// What a source says, told why each time and how many gradients it takes at most; what it says is
// kept.
class SurveyGradients {
 public:
  SurveyGradients(const SurveySource& source, std::string why, Index most)
      : source_(source), why_(std::move(why)), most_(most) {
    const SetupProblem& problem = source.problem;
    if (problem.exact_mode()) {
      exact_ =
          std::make_unique<const ExactPosterior>(problem.model, problem.data.x, problem.data.y);
    }
  }

  GradientEstimate operator()(const Vector& psi) {
    source_.problem.report(fmt::format("{}, gradient {} of at most {}", why_, ++count_, most_));
    GradientEstimate estimate =
        exact_ ? exact_gradient(*exact_, psi)
               : source_.problem.precise_gradient(*source_.anchor, source_.by_float)
                     .with_whole_bank(psi);
    keep(psi, estimate);
    return estimate;
  }

  Lessons take_lessons() { return std::move(lessons_); }

 private:
  void keep(const Vector& psi, const GradientEstimate& estimate) {
    if (!estimate.gradient.allFinite() || estimate.solves.solve.unfinished() > 0) return;
    Lesson lesson{psi, estimate.gradient, estimate.covariance};
    if (!exact_) lesson.gradient += source_.anchor->trace.value;
    lessons_.push_back(std::move(lesson));
  }

  const SurveySource& source_;
  std::string why_;
  Index most_, count_ = 0;
  std::unique_ptr<const ExactPosterior> exact_;
  Lessons lessons_;
};

// Other coordinates where the posterior is far from Gaussian in psi, if it is less so there.
Survey least_bent(const SurveySource& source, const Survey& of_psi) {
  Survey best = of_psi;
  best.bend_of_psi = of_psi.bend;
  if (of_psi.bend < kMaxUnbiasedBend) return best;
  const Index p = source.psi.size();
  SurveyGradients gradients(source, "looking for coordinates in which the posterior is less skewed",
                            2 * p + 1 + 3 * (4 * p + 12));
  const GradientAt gradient = std::ref(gradients);
  const Vector exponents = exponents_by(gradient, source.psi, of_psi.metric);
  const Survey in_psi = best;
  for (const double share : {1.0, 0.5, 0.25}) {
    const Survey there = survey_in(Coordinates(source.psi, share * exponents), gradient, in_psi);
    if (there.bend < best.bend && !there.repaired) best = there;
    if (best.bend < in_psi.bend / 2) break;
  }
  best.lessons = of_psi.lessons;
  for (Lesson& lesson : gradients.take_lessons()) best.lessons.push_back(std::move(lesson));
  return best;
}

}  // namespace

bool PosteriorShape::fits(Index rows, Index p) const {
  const Index second = other.centre.size();
  return survey.fits(rows, p) && (second == 0 || second == p) &&
         other.covariance.rows() == second && other.covariance.cols() == second;
}

Survey survey_of_psi(const SurveySource& source, const Curvature& curvature) {
  Survey survey = survey_from(source.psi, curvature);
  SurveyGradients gradients(source, "looking how Gaussian the posterior is",
                            2 * source.psi.size() + 7);
  survey_bend(std::ref(gradients), survey);
  survey.lessons = curvature.lessons;
  for (Lesson& lesson : gradients.take_lessons()) survey.lessons.push_back(std::move(lesson));
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

PosteriorShape choose_coordinates(const SurveySource& source, const Mode& mode,
                                  const Survey& of_psi) {
  PosteriorShape shape{.survey = least_bent(source, of_psi), .other = {}};
  const SetupProblem& problem = source.problem;
  if (!problem.exact_mode()) return shape;
  const ExactPosterior posterior(problem.model, problem.data.x, problem.data.y);
  shape.other = survey_second_mode(posterior, mode, shape.survey.coordinates);
  return shape;
}

}  // namespace ulisse
