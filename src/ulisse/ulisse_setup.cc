#include "ulisse/ulisse_setup.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "ulisse/anchor_trace.h"
#include "ulisse/expected_acceptance.h"
#include "ulisse/saved_stages.h"
#include "ulisse/teacher.h"

namespace ulisse {

namespace {

using WholeAnchor = std::function<const Anchor&()>;

// The trace averaged for a metric, saved now and then on the way: with many rows this takes longest
// of all.
void average_trace(const SetupProblem& problem, Stages& stages, bool by_float, const Matrix& metric,
                   Anchor& anchor, const WholeAnchor& whole_anchor) {
  constexpr double kSecondsBetweenSaves = 10;
  if (!(trace_error(anchor.trace, metric) > problem.settings.mode_gradient_error)) return;
  double saved_at = seconds_now();
  const long before = anchor.trace.blocks;
  const auto save = [&](const AnchorTrace& trace) {
    save_stage(stages.store(), "trace", trace);
    saved_at = seconds_now();
  };
  const auto save_sometimes = [&](const AnchorTrace& trace) {
    if (seconds_now() - saved_at > kSecondsBetweenSaves) save(trace);
  };
  anchor.trace =
      averaged_trace(problem, whole_anchor(), by_float, metric, anchor.trace, save_sometimes);
  if (anchor.trace.blocks > before) save(anchor.trace);
}

// One set-up, stage by stage.
class SetupRun {
 public:
  SetupRun(const SetupProblem& problem, StageStore& store)
      : problem_(problem), stages_(problem, store) {}

  UlisseSetup run() {
    find_modes();
    if (problem_.exact_mode()) {
      find_exact_shape();
      if (learn_exactly() || takes_corrected_steps() || takes_exact_steps()) {
        return std::move(setup_);
      }
    }
    find_the_anchor();
    if (!problem_.exact_mode()) find_shape_by_anchor();
    average(setup_.survey().metric);
    setup_.trace_error = trace_error(anchor().trace, setup_.survey().metric);
    plan();
    return std::move(setup_);
  }

 private:
  Anchor& anchor() { return setup_.anchor; }

  // The preconditioner of one that was loaded is made again when it is needed.
  const Anchor& whole_anchor() {
    if (!anchor().preconditioner) {
      anchor().preconditioner = preconditioner_again(problem_, anchor());
    }
    return anchor();
  }

  void find_modes() {
    const FirstMode first = stages_("first_mode", [&] { return find_first_mode(problem_); });
    mode_ = problem_.exact_mode()
                ? ModeOfAll{.found = first.found}
                : stages_("mode", [&] { return find_mode_of_all(problem_, first); });
    setup_.mode = mode_.found.mode;
    setup_.searched_rows = first.searched_rows;
    setup_.other_modes_share = problem_.exact_mode() ? 0 : first.found.mode.other_share;
    setup_.by_float = mode_.by_float;
  }

  // By exact gradients, which need no anchor.
  void find_exact_shape() {
    const Mode& mode = setup_.mode;
    const SurveySource source{problem_, mode.psi};
    const Survey of_psi =
        stages_("survey", [&] { return survey_of_psi(source, exact_curvature(problem_, mode_)); });
    setup_.shape = stages_("coordinates", [&] { return choose_coordinates(source, mode, of_psi); });
  }

  bool learn_exactly() {
    if (!may_learn()) return false;
    return learn_from(exact_teacher(problem_), setup_.survey().lessons, {});
  }

  bool takes_exact_steps() {
    Reason why = why_exact(problem_, setup_.shape);
    if (!why.given()) return false;
    problem_.report("going on with exact steps");
    setup_.steps = ExactSteps{std::move(why)};
    return true;
  }

  void find_the_anchor() {
    anchor() = stages_("anchor", [&] { return find_anchor(problem_, mode_); });
    anchor().trace = trace_of(anchor().probe_traces);  // the bank's, which is not saved
    curvature_ = stages_(
        "curvature", [&] { return find_curvature(problem_, whole_anchor(), mode_); },
        [&](const Curvature& read) { return read.slopes.at(0).cols() == 1 + anchor().bank(); });
    anchor().slopes = std::move(curvature_.slopes);
    anchor().trace = stages_("trace", [&] {
      return first_trace(problem_, whole_anchor(), mode_.by_float, curvature_.metric);
    });
    if (!problem_.exact_mode()) return keep_probes(anchor(), probes_enough(anchor(), curvature_));
    anchor().unfinished += curvature_.unfinished;
    average(curvature_.metric);
  }

  void find_shape_by_anchor() {
    const SurveySource source{problem_, anchor().psi, &anchor(), mode_.by_float};
    const Survey of_psi = stages_("survey", [&] {
      average(curvature_.metric);
      whole_anchor();
      return survey_of_psi(source, curvature_);
    });
    setup_.mode.psi = corrected_mode(problem_, setup_.mode, anchor(), of_psi);
    setup_.shape = stages_("coordinates", [&] {
      whole_anchor();
      return choose_coordinates(source, setup_.mode, of_psi);
    });
  }

  void average(const Matrix& metric) {
    average_trace(problem_, stages_, mode_.by_float, metric, anchor(),
                  [&]() -> const Anchor& { return whole_anchor(); });
  }

  void plan() {
    const GradientPlan of_products = stages_("products", [&] {
      return plan_products(problem_, whole_anchor(), mode_.by_float, setup_.survey());
    });
    if (!problem_.exact_mode() && (learn_by_anchor(of_products) || takes_corrected_steps())) return;
    setup_.steps = langevin_steps(of_products);
    whole_anchor();
  }

  LangevinSteps langevin_steps(const GradientPlan& of_products) {
    const Survey& survey = setup_.survey();
    const auto find = [&] {
      return plan_gradients(problem_, whole_anchor(), mode_.by_float, survey, of_products);
    };
    const auto goes_with_bank = [&](const GradientPlan& plan) {
      return plan.fresh_probes || plan.probe_count <= anchor().bank();
    };
    return {stages_("plan", find, goes_with_bank),
            uncertified_ ? langevin_start(survey, *uncertified_) : langevin_start(survey)};
  }

  bool learn_by_anchor(const GradientPlan& of_products) {
    if (!may_learn()) return false;
    Lessons lessons = setup_.survey().lessons;
    for (Lesson& lesson : lessons) {
      lesson.gradient -= anchor().trace.value;
      // The bank is the same for all gradients: its error is none of noise.
      if (!of_products.fresh_probes) lesson.noise.setZero();
    }
    return learn_from(anchored_teacher(problem_, whole_anchor(), of_products, mode_.by_float),
                      lessons, of_products);
  }

  bool may_learn() {
    setup_.why_no_surrogate = why_no_surrogate(
        problem_, setup_.shape,
        problem_.exact_mode() ? setup_.mode.other_share : setup_.other_modes_share);
    return !setup_.why_no_surrogate.given();
  }

  // Whether what was learnt is certified; then the surrogate is where draws come from.
  bool learn_from(const Teacher& teacher, const Lessons& lessons, const GradientPlan& plan) {
    Learning learnt = learn_posterior(teacher, lessons);
    setup_.lessons = learnt.gradients() - learnt.begun_with;
    setup_.why_no_surrogate = why_uncertified(problem_, learnt);
    if (learnt.certified()) {
      setup_.steps = SurrogateSteps{std::move(learnt), plan};
      return true;
    }
    uncertified_ = std::move(learnt);
    return false;
  }

  // Where the surrogate is good enough to propose.
  bool takes_corrected_steps() {
    constexpr double kMinAcceptance = 0.15;
    Reason why = why_corrected(problem_, setup_.shape);
    if (!why.given() || !uncertified_) return false;
    if (std::isnan(uncertified_->proposal_acceptance)) {
      uncertified_->proposal_acceptance = expected_acceptance(problem_, *uncertified_);
      save_stage(stages_.store(), "surrogate", *uncertified_);
    }
    const double acceptance = uncertified_->proposal_acceptance;
    if (!(acceptance >= kMinAcceptance)) return false;
    problem_.report("going on with exact steps, proposed by the surrogate");
    setup_.steps = CorrectedSteps{std::move(why), std::move(*uncertified_), acceptance};
    return true;
  }

  Learning learn_posterior(const Teacher& teacher, const Lessons& lessons) {
    constexpr double kSecondsBetweenSaves = 10;
    const Survey& survey = setup_.survey();
    Learning learning = begin_learning(
        Whitening(survey.coordinates, survey.centre, survey.metric.llt().matrixL()), lessons);
    stages_.load("surrogate", learning);
    double saved_at = seconds_now();
    const auto save = [&](const Learning& so_far) {
      if (!so_far.ended && seconds_now() - saved_at < kSecondsBetweenSaves) return;
      save_stage(stages_.store(), "surrogate", so_far);
      saved_at = seconds_now();
    };
    return learn(std::move(learning), teacher,
                 {.goal = problem_.settings.certificate,
                  .most_gradients = most_lessons(problem_.parameters()),
                  .seed = problem_.seed},
                 problem_.report, save);
  }

  const SetupProblem& problem_;
  Stages stages_;
  ModeOfAll mode_;
  Curvature curvature_;
  std::optional<Learning> uncertified_;
  UlisseSetup setup_;
};

}  // namespace

const GradientPlan* UlisseSetup::plan() const {
  if (anchor.bank() == 0) return nullptr;
  if (langevin() != nullptr) return &langevin()->plan;
  return surrogate() != nullptr ? &surrogate()->plan : nullptr;
}

long UlisseSetup::unfinished() const {
  const long of_plan = plan() != nullptr ? plan()->unfinished : 0;
  return anchor.unfinished + anchor.trace.unfinished + survey().unfinished + of_plan;
}

std::string backend_of_setup(StageStore& store, Index rows, Index parameters) {
  FirstMode first;
  const auto fits = [&](const FirstMode& read) { return read.fits(rows, parameters); };
  return load_stage(store, "first_mode", first, fits) ? first.backend : "";
}

UlisseSetup find_setup(const SetupProblem& problem, StageStore& store) {
  return SetupRun(problem, store).run();
}

}  // namespace ulisse
