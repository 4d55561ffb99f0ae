// The stages of the set-up: what each finds, and a set-up that goes on with stages that were saved.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <map>
#include <stdexcept>

#include "support/problem.h"
#include "ulisse/anchor_trace.h"
#include "ulisse/ulisse_setup.h"

namespace ulisse {
namespace {

using testing::Problem;

// Stages as bytes, for as many as it is to take.
class MemoryStages : public StageStore {
 public:
  bool load(const std::string& stage, const std::function<bool(ArchiveReader&)>& read) override {
    const auto at = saved.find(stage);
    if (at == saved.end()) return false;
    ArchiveReader reader(at->second);
    if (!read(reader)) throw std::runtime_error(stage + " does not fit");
    reader.finish();
    return true;
  }
  void save(const std::string& stage, const std::function<void(ArchiveWriter&)>& write) override {
    ArchiveWriter writer;
    write(writer);
    saved[stage] = writer.bytes();
    order.push_back(stage);
    if (order.size() == most) throw std::runtime_error("ended here");
  }

  std::map<std::string, std::string> saved;
  std::vector<std::string> order;
  std::size_t most = 1000;
};

struct Staged {
  explicit Staged(Index n = 320) : problem("rbf", n, 2) {
    data.x = problem.x;
    data.y = problem.y;
    settings.rank = 20;
    settings.neighbours = 0;  // with them, or a higher rank, one block of probes would do
    settings.step = 1;
    settings.mode_gradient = "probes";
    settings.mode_gradient_probes = 128;
    settings.mode_gradient_error = 0.001;
  }

  SetupProblem setup_problem() const {
    return {.settings = settings,
            .seed = 3,
            .model = problem.model,
            .data = data,
            .covariance = *problem.covariance};
  }

  Problem problem;
  Dataset data;
  UlisseSettings settings;
};

std::string bytes_of(UlisseSetup& setup) {
  ArchiveWriter writer;
  writer(setup.mode.psi, setup.anchor, setup.anchor.slopes, setup.anchor.trace, setup.shape,
         setup.trace_error, std::get<LangevinSteps>(setup.steps).plan);
  return writer.bytes();
}

TEST(SetupStages, AreSavedOneAfterTheOther) {
  const Staged staged;
  MemoryStages store;
  UlisseSetup setup = find_setup(staged.setup_problem(), store);
  ASSERT_NE(setup.langevin(), nullptr);
  EXPECT_EQ(store.order.front(), "first_mode");
  EXPECT_EQ(store.order.back(), "plan");
  for (const auto& [stage, bytes] : store.saved) {
    const auto& names = setup_stages();
    EXPECT_NE(std::find(names.begin(), names.end(), stage), names.end()) << stage;
  }
}

TEST(SetupStages, GoOnFromAnyOfThemToTheSameBits) {
  const Staged staged;
  MemoryStages whole;
  UlisseSetup setup = find_setup(staged.setup_problem(), whole);
  for (std::size_t ended = 1; ended <= whole.order.size(); ++ended) {
    MemoryStages store;
    store.most = ended;
    EXPECT_THROW(find_setup(staged.setup_problem(), store), std::runtime_error);
    const std::size_t before = store.order.size();
    store.most = 1000;
    UlisseSetup resumed = find_setup(staged.setup_problem(), store);
    EXPECT_EQ(bytes_of(resumed), bytes_of(setup)) << ended;
    EXPECT_LE(store.order.size() - before, whole.order.size() - ended) << "stages were repeated";
  }
}

// Beyond the rows of an exact mode, against Cholesky in double.
TEST(SetupStages, TheTraceByAFactorInFloatIsThatInDouble) {
  Staged staged(SetupProblem::kExactModeRows + 100);
  staged.settings.rank = 100;
  staged.settings.anchor_probes = 16;
  staged.settings.mode_gradient = "exact";
  const auto in_float =
      make_covariance(staged.problem.model, staged.data.x, {.backend = "dense-float"});
  SetupProblem problem = staged.setup_problem();
  const Anchor anchor = find_anchor(problem, {.found = {.mode = {.psi = staged.problem.psi}}});
  const Matrix metric = 0.01 * Matrix::Identity(3, 3);
  const AnchorTrace in_double = first_trace(problem, anchor, false, metric);
  problem.in_float = in_float.get();
  const AnchorTrace by_float = first_trace(problem, anchor, false, metric);
  ASSERT_TRUE(in_double.exact && by_float.exact);
  EXPECT_EQ(trace_error(in_double, metric), 0);
  EXPECT_GT(trace_error(by_float, metric), 0) << "it was not in float";
  const Vector apart = 0.1 * (by_float.value - in_double.value);
  EXPECT_LT(apart.norm(), 0.003) << "in posterior standard deviations";
}

TEST(SetupStages, AveragingGoesOnWhereItWas) {
  const Staged staged;
  const SetupProblem problem = staged.setup_problem();
  const ModeOfAll mode{.found = find_first_mode(problem).found};
  Anchor anchor = find_anchor(problem, mode);
  const Curvature curvature = find_curvature(problem, anchor, mode);
  anchor.slopes = curvature.slopes;
  const AnchorTrace first = first_trace(problem, anchor, false, curvature.metric);
  std::vector<AnchorTrace> steps;
  const AnchorTrace whole =
      averaged_trace(problem, anchor, false, curvature.metric, first,
                     [&](const AnchorTrace& trace) { steps.push_back(trace); });
  ASSERT_GE(steps.size(), 2U);
  const AnchorTrace rest = averaged_trace(problem, anchor, false, curvature.metric, steps[0]);
  EXPECT_EQ(rest.value, whole.value);
  EXPECT_EQ(rest.probes, whole.probes);
  EXPECT_LT(trace_error(whole, curvature.metric), trace_error(first, curvature.metric));
}

TEST(SetupStages, TheModeOfFewRowsIsTheExactOne) {
  const Staged staged;
  const FirstMode first = find_first_mode(staged.setup_problem());
  EXPECT_EQ(first.searched_rows, 0);
  EXPECT_TRUE(first.found.mode.converged);
  EXPECT_EQ(first.backend, staged.problem.covariance->backend());
  EXPECT_EQ(first.found.guess, first.found.mode.covariance);
}

TEST(SetupStages, TheTraceIsExactWhereThatFits) {
  Staged staged;
  staged.settings.mode_gradient = "auto";
  SetupProblem problem = staged.setup_problem();
  const ModeOfAll mode{.found = find_first_mode(problem).found};
  const Anchor anchor = find_anchor(problem, mode);
  EXPECT_FALSE(first_trace(problem, anchor, false, mode.found.guess).exact) << "no memory";
  problem.memory = std::size_t{1} << 30;
  const AnchorTrace exact = first_trace(problem, anchor, false, mode.found.guess);
  EXPECT_TRUE(exact.exact);
  EXPECT_EQ(trace_error(exact, mode.found.guess), 0);
  const Vector away = (exact.value - anchor.trace.value).cwiseAbs();
  for (Index j = 0; j < away.size(); ++j) {
    EXPECT_LT(away(j), 5 * std::sqrt(anchor.trace.covariance(j, j))) << j;
  }
}

TEST(SetupStages, StepsAreExactForTheReasonThatCountsMost) {
  Staged staged;
  PosteriorShape shape;
  shape.survey.bend = 0.1;
  const auto why = [&] { return why_exact(staged.setup_problem(), shape); };
  EXPECT_FALSE(why().given()) << "a step was asked for";
  staged.settings.step = 0;
  EXPECT_FALSE(why().given());
  staged.settings.exact_rows = 400;
  EXPECT_EQ(why().code, Reason::Code::few_rows);
  EXPECT_EQ(why().number("rows"), 320);
  EXPECT_EQ(why().number("limit"), 400);
  shape.survey.bend = 2;
  EXPECT_EQ(why().code, Reason::Code::not_gaussian);
  EXPECT_EQ(why().number("bend"), 2);
  shape.survey.repaired = true;
  EXPECT_EQ(why().code, Reason::Code::no_maximum);
  shape.other.centre = Vector::Ones(3);
  EXPECT_EQ(why().code, Reason::Code::another_mode);
}

TEST(SetupStages, ThePlanKeepsTheNoiseWithinWhatStepsCorrectFor) {
  const Staged staged;
  NoStages store;
  const UlisseSetup setup = find_setup(staged.setup_problem(), store);
  const GradientPlan& plan = setup.langevin()->plan;
  EXPECT_EQ(plan.step, 1);
  EXPECT_GT(plan.early_stop, 0);
  EXPECT_LT(plan.noise_share, GradientPlan::kMaxNoiseShare);
  EXPECT_TRUE(plan.fits(320, 3));
}

}  // namespace
}  // namespace ulisse
