// Which probes and which products gradients are made of, and the errors that these leave.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/watch.h"
#include "ulisse/anchored_gradient.h"
#include "ulisse/backend.h"
#include "ulisse/gradient_plan.h"
#include "ulisse/whitening.h"

namespace ulisse {

namespace {

// The bias that the bank of probes may leave: where it is larger probes are drawn anew.
constexpr double kMaxBankErrorInPosteriorSd = 0.1;
// Of the gradient, by rounding of products in float.
constexpr double kMaxFloatErrorInPosteriorSd = 0.01;
// Of a lesson's gradient, by ending its solves at larger residuals: a tenth of what a certificate
// leaves.
constexpr double kMaxLessonErrorInPosteriorSd = 0.005;
constexpr double kLooser = 10, kLittleLooser = 3;

class ProductPlanning {
 public:
  ProductPlanning(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                  const Survey& survey)
      : problem_(problem),
        anchor_(anchor),
        by_float_(by_float),
        survey_(survey),
        factor_(survey.metric.llt().matrixL()) {}

  GradientPlan run() {
    choose_probes();
    judge_products();
    if (!(try_all_at_once(kLooser) || try_all_at_once(kLittleLooser) || try_all_at_once(1))) {
      try_float();
      loosen_lessons();
    }
    problem_.report("measuring the error of the solves at the mode");
    plan_.solver_error = solver_error();
    return std::move(plan_);
  }

 private:
  // The bank's error stays the same for a whole run; that of fresh probes is noise, but they are
  // solved for twice.
  void choose_probes() {
    plan_.bank_error = survey_.bank_error;
    if (problem_.exact_mode()) {
      problem_.report("measuring the error of the bank of probes");
      Survey survey = survey_;
      survey_bank(precise_gradient(), survey);
      plan_.bank_error = survey.bank_error;
      plan_.unfinished = survey.unfinished - survey_.unfinished;
    }
    plan_.fresh_probes = !(plan_.bank_error < kMaxBankErrorInPosteriorSd);
    plan_.probe_count = problem_.settings.probe_count;
  }

  // Lessons by products in float and looser solves, where the survey has been: mostly neither
  // matters, and then a gradient or two show it for both. Each of the errors is at most their sum.
  bool try_all_at_once(double looser) {
    if (problem_.exact_mode() || !problem_.float_may_pay()) return false;
    problem_.report("trying products in float, and how far solves for lessons have to go");
    const AnchoredGradient rough = lessons_gradient(problem_.in_float, looser);
    const std::vector<const Lesson*> places = farthest_of_the_survey();
    double error = 0;
    for (const Lesson* known : places) {
      const Vector change =
          rough.with_whole_bank(known->psi).gradient + anchor_.trace.value - known->gradient;
      const Vector slope = survey_.coordinates.slope(survey_.coordinates.u(known->psi));
      const double there = (factor_.transpose() * slope.cwiseProduct(change)).norm();
      if (!(there < kMaxLessonErrorInPosteriorSd)) return false;
      error = std::max(error, there);
    }
    if (places.empty()) return false;
    plan_.use_float = true;
    plan_.float_error = plan_.product_error = error;
    plan_.lesson_error = looser > 1 ? error : 0;
    plan_.lesson_residuals = looser;
    return true;
  }

  // The last two of its precise gradients that are not far out, in the direction in which the
  // posterior is least like a Gaussian.
  std::vector<const Lesson*> farthest_of_the_survey() const {
    constexpr double kNearest = 1, kFarthest = 2;
    const Whitening whitening(survey_.coordinates, survey_.centre, factor_);
    std::vector<const Lesson*> found;
    for (auto lesson = survey_.lessons.rbegin(); lesson != survey_.lessons.rend(); ++lesson) {
      const double distance = whitening.v(lesson->psi).norm();
      if (distance > kNearest && distance < kFarthest) found.push_back(&*lesson);
      if (found.size() == 2) break;
    }
    return found;
  }

  // As a teacher makes them, with the whole bank.
  AnchoredGradient lessons_gradient(const Covariance* in_float, double looser) const {
    CgOptions cg = cg_;
    cg.tolerance *= looser;
    return {problem_.model, {problem_.covariance, in_float}, anchor_, {.probes = 1, .cg = cg}};
  }

  // Half the time where products take most of it. Rounding errors are not averaged out, so that
  // they must be far below a posterior standard deviation: measured one of them away from the
  // anchor.
  void try_float() {
    if (!problem_.float_may_pay()) return;
    problem_.report("trying products in float");
    const AnchoredGradient precise(problem_.model, problem_.covariance, anchor_,
                                   {.probes = 1, .cg = cg_});
    const AnchoredGradient rough(problem_.model, {problem_.covariance, problem_.in_float}, anchor_,
                                 {.probes = 1, .cg = cg_});
    plan_.float_error = largest_change(precise, rough);
    plan_.use_float = plan_.float_error < kMaxFloatErrorInPosteriorSd;
    if (plan_.use_float) plan_.product_error = plan_.float_error;
  }

  // What products in float, or by trees, that were asked for make of the gradient.
  void judge_products() {
    const auto k = problem_.covariance.at(anchor_.psi);
    if (k->error_bound() == 0) return;
    problem_.report("comparing the products with those in double");
    const auto dense =
        make_covariance(problem_.model, problem_.data.x, {.backend = exact_backend()});
    const AnchoredGradient precise(problem_.model, *dense, anchor_, {.probes = 1, .cg = cg_});
    plan_.product_error = largest_change(precise, precise_gradient());
  }

  // In posterior standard deviations, one of them away from the anchor in each direction; in one of
  // them where that takes long.
  double largest_change(const AnchoredGradient& precise, const AnchoredGradient& rough) const {
    double largest = 0;
    const Index directions = problem_.rows() > SetupProblem::kExactTraceRows ? 1 : factor_.cols();
    const Survey& survey = survey_;
    WatchStep step;
    for (Index i = 0; i < directions; ++i) {
      step.say([&] { return fmt::format("direction {} of {}", i + 1, directions); });
      const Vector u = survey.centre + factor_.col(i);
      const Vector psi = survey.coordinates.psi(u);
      const Vector change = survey.coordinates.slope(u).cwiseProduct(
          rough.with_whole_bank(psi).gradient - precise.with_whole_bank(psi).gradient);
      const double error = (factor_.transpose() * change).norm();
      if (std::isnan(error)) return error;
      largest = std::max(largest, error);
    }
    return largest;
  }

  // The change of the gradient at the anchor by solves to a hundredth of the tolerance, which some
  // of the bank show as well as all of it.
  double solver_error() const {
    constexpr Index kProbes = 8;
    const auto probes = static_cast<int>(problem_.exact_mode() ? anchor_.bank()
                                                               : std::min(kProbes, anchor_.bank()));
    const auto gradient = [&](double tolerance) {
      CgOptions cg = cg_;
      cg.tolerance *= tolerance;
      Rng same = stream(problem_.seed, 3, Purpose::probes);
      return AnchoredGradient(problem_.model, problem_.working(by_float_), anchor_,
                              {.probes = probes, .cg = cg, .careful = true})
          .estimate(anchor_.psi, same)
          .gradient;
    };
    return (factor_.transpose() * (gradient(0.01) - gradient(1))).norm();
  }

  // Residuals of a hundredth of a per cent of y are for gradients whose errors add up over a run.
  // Measured a standard deviation away from the mode, in all directions at once.
  void loosen_lessons() {
    if (problem_.exact_mode()) return;  // lessons are exact
    const Index p = factor_.cols();
    const Vector u =
        survey_.centre + factor_ * Vector::Constant(p, 1 / std::sqrt(static_cast<double>(p)));
    const Vector psi = survey_.coordinates.psi(u);
    const auto gradient = [&](double looser) {
      const AnchoredGradient estimate =
          lessons_gradient(plan_.use_float ? problem_.in_float : nullptr, looser);
      return Vector(
          survey_.coordinates.slope(u).cwiseProduct(estimate.with_whole_bank(psi).gradient));
    };
    problem_.report("looking how far solves for lessons have to go");
    const Vector precise = gradient(1);
    for (const double looser : {kLooser, kLittleLooser}) {
      const double error = (factor_.transpose() * (gradient(looser) - precise)).norm();
      if (!(error < kMaxLessonErrorInPosteriorSd)) continue;
      plan_.lesson_residuals = looser;
      plan_.lesson_error = error;
      return;
    }
  }

  AnchoredGradient precise_gradient() const {
    return problem_.precise_gradient(anchor_, by_float_);
  }

  const SetupProblem& problem_;
  const Anchor& anchor_;
  bool by_float_;
  const Survey& survey_;
  Matrix factor_;  // of the survey's metric
  CgOptions cg_ = problem_.cg_at(anchor_.psi);
  GradientPlan plan_;
};

}  // namespace

GradientPlan plan_products(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                           const Survey& survey) {
  return ProductPlanning(problem, anchor, by_float, survey).run();
}

}  // namespace ulisse
