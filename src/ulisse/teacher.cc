#include "ulisse/teacher.h"

#include "ulisse/exact.h"
#include "ulisse/random.h"

namespace ulisse {

namespace {

// Of fresh probes, in a lesson: the noise is regressed away, and a product of more columns takes
// little longer.
constexpr int kFreshProbes = 16;

Lesson lesson_of(const Vector& psi, GradientEstimate estimate) {
  const long unfinished = estimate.solves.solve.unfinished();
  return {psi, std::move(estimate.gradient), std::move(estimate.covariance), unfinished};
}

}  // namespace

Teacher exact_teacher(const SetupProblem& problem) {
  const auto posterior =
      std::make_shared<const ExactPosterior>(problem.model, problem.data.x, problem.data.y);
  Teacher teacher;
  teacher.side_by_side = true;
  teacher.lesson = [posterior](const Vector& psi, std::uint64_t) {
    const LogDensity there = posterior->log_density_and_gradient(psi);
    const Index p = psi.size();
    return Lesson{psi, there.rejected() ? Vector::Constant(p, NAN) : there.gradient,
                  Matrix::Zero(p, p)};
  };
  return teacher;
}

Teacher anchored_teacher(const SetupProblem& problem, const Anchor& anchor,
                         const GradientPlan& plan, bool by_float) {
  AnchoredGradientOptions options = plan.options(problem.settings, anchor, by_float);
  options.rule = nullptr;
  options.cg = problem.cg_at(anchor.psi);
  options.cg.tolerance *= plan.lesson_residuals;
  options.probes = plan.fresh_probes ? kFreshProbes : 1;
  const auto gradient = std::make_shared<const AnchoredGradient>(
      problem.model,
      WorkingCovariance(problem.covariance, plan.use_float ? problem.in_float : nullptr), anchor,
      options);
  Teacher teacher;
  teacher.noisy = plan.fresh_probes;
  const std::uint64_t seed = problem.seed;
  if (plan.fresh_probes) {
    teacher.lesson = [gradient, seed](const Vector& psi, std::uint64_t number) {
      Rng rng = stream(seed, 1, Purpose::surrogate, number);
      return lesson_of(psi, gradient->estimate(psi, rng));
    };
  } else {
    teacher.lesson = [gradient](const Vector& psi, std::uint64_t) {
      Lesson lesson = lesson_of(psi, gradient->with_whole_bank(psi));
      // The bank's spread is its own error, which is the same for all gradients: none of noise.
      lesson.noise.setZero();
      return lesson;
    };
  }
  return teacher;
}

}  // namespace ulisse
