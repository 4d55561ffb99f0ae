#include "ulisse/ulisse_setup.h"

#include <functional>
#include <utility>

#include "base/clock.h"
#include "ulisse/anchor_trace.h"

namespace ulisse {

namespace {

// Runs stages, or has them loaded.
class Stages {
 public:
  Stages(const SetupProblem& problem, StageStore& store) : problem_(problem), store_(store) {}

  template <class Find>
  auto operator()(const std::string& stage, const Find& find) {
    return (*this)(stage, find, [](const auto&) { return true; });
  }

  // goes_with: whether what was saved goes with earlier stages.
  template <class Find, class GoesWith>
  auto operator()(const std::string& stage, const Find& find, const GoesWith& goes_with) {
    decltype(find()) found;
    if (load(stage, found, goes_with)) return found;
    found = find();
    save_stage(store_, stage, found);
    return found;
  }

  StageStore& store() { return store_; }

 private:
  template <class T, class GoesWith>
  bool load(const std::string& stage, T& found, const GoesWith& goes_with) {
    return load_stage(store_, stage, found, [&](const T& read) {
      return read.fits(problem_.rows(), problem_.parameters()) && goes_with(read);
    });
  }

  const SetupProblem& problem_;
  StageStore& store_;
};

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

// Gives the anchor its slopes and its trace, and surveys the posterior around it.
Survey survey_around(const SetupProblem& problem, Stages& stages, const ModeOfAll& mode,
                     Anchor& anchor, const WholeAnchor& whole_anchor) {
  Curvature curvature = stages(
      "curvature", [&] { return find_curvature(problem, whole_anchor(), mode); },
      [&](const Curvature& read) { return read.slopes.at(0).cols() == 1 + anchor.bank(); });
  anchor.slopes = std::move(curvature.slopes);
  anchor.trace = stages("trace", [&] {
    return first_trace(problem, whole_anchor(), mode.by_float, curvature.metric);
  });
  return stages("survey", [&] {
    average_trace(problem, stages, mode.by_float, curvature.metric, anchor, whole_anchor);
    return survey_of_psi(problem, whole_anchor(), mode.by_float, curvature);
  });
}

}  // namespace

long UlisseSetup::unfinished() const {
  const long of_plan = langevin() != nullptr ? langevin()->plan.unfinished : 0;
  return anchor.unfinished + anchor.trace.unfinished + survey().unfinished + of_plan;
}

std::string backend_of_setup(StageStore& store, Index rows, Index parameters) {
  FirstMode first;
  const auto fits = [&](const FirstMode& read) { return read.fits(rows, parameters); };
  return load_stage(store, "first_mode", first, fits) ? first.backend : "";
}

UlisseSetup find_setup(const SetupProblem& problem, StageStore& store) {
  Stages stages(problem, store);
  UlisseSetup setup;
  Anchor& anchor = setup.anchor;
  const FirstMode first = stages("first_mode", [&] { return find_first_mode(problem); });
  const ModeOfAll mode = problem.exact_mode()
                             ? ModeOfAll{.found = first.found}
                             : stages("mode", [&] { return find_mode_of_all(problem, first); });
  setup.mode = mode.found.mode;
  setup.searched_rows = first.searched_rows;
  setup.other_modes_share = problem.exact_mode() ? 0 : first.found.mode.other_share;
  setup.by_float = mode.by_float;
  anchor = stages("anchor", [&] { return find_anchor(problem, mode); });
  anchor.trace = trace_of(anchor.probe_traces);  // the bank's, which is not saved
  // The preconditioner of one that was loaded is made again when it is needed.
  const auto whole_anchor = [&]() -> const Anchor& {
    if (!anchor.preconditioner) anchor.preconditioner = preconditioner_again(problem, anchor);
    return anchor;
  };
  const Survey of_psi = survey_around(problem, stages, mode, setup.anchor, whole_anchor);
  setup.mode.psi = corrected_mode(problem, setup.mode, anchor, of_psi);
  setup.shape = stages("coordinates",
                       [&] { return choose_coordinates(problem, whole_anchor(), mode, of_psi); });
  average_trace(problem, stages, mode.by_float, setup.survey().metric, anchor, whole_anchor);
  setup.trace_error = trace_error(anchor.trace, setup.survey().metric);
  if (std::string why = why_exact(problem, setup.shape); !why.empty()) {
    problem.report(why + ": going on with exact steps");
    setup.steps = ExactSteps{std::move(why)};
    return setup;
  }
  setup.steps = LangevinSteps{stages(
      "plan",
      [&] { return plan_gradients(problem, whole_anchor(), mode.by_float, setup.survey()); },
      [&](const GradientPlan& plan) { return plan.probe_count <= anchor.bank(); })};
  whole_anchor();
  return setup;
}

}  // namespace ulisse
