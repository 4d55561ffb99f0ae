#include "ulisse/modes.h"

#include <fmt/format.h>

#include "ulisse/fast_solves.h"
#include "ulisse/full_mode.h"

namespace ulisse {

namespace {

// Takes half the time where residuals in double fall as fast.
bool solves_in_float_pay(const SetupProblem& problem, const Vector& psi) {
  if (problem.in_float == nullptr) return false;
  problem.report("trying solves in float");
  if (!problem.float_may_pay()) return false;
  const WorkingOperator k = problem.working(true).at(psi);
  const auto p = make_preconditioner(*k.precise, problem.search_preconditioner());
  Rng rng = stream(problem.seed, 2, Purpose::probes);
  Matrix b(problem.rows(), 4);
  b << problem.data.y, p->sample(3, rng);
  return fast_solves_pay(k, *p, b, problem.cg_at(psi));
}

bool is_square_or_empty(const Matrix& m, Index size) {
  return m.size() == 0 || (m.rows() == size && m.cols() == size);
}

}  // namespace

bool ModeFound::fits(Index /*rows*/, Index p) const {
  const auto is_of = [p](const Vector& v) { return v.size() == 0 || v.size() == p; };
  return mode.psi.size() == p && is_of(mode.gradient) && is_of(mode.other_psi) &&
         is_square_or_empty(mode.covariance, p) && guess.rows() == p && guess.cols() == p;
}

FirstMode find_first_mode(const SetupProblem& problem) {
  const Index n = problem.rows();
  const bool exact = problem.exact_mode();
  const Indices subset = random_subset(n, exact ? n : problem.settings.subset, problem.seed);
  problem.report(fmt::format("looking for the mode of {} rows",
                             exact ? "all" : std::to_string(subset.size())));
  const Matrix x = problem.data.x(subset, Eigen::all);
  const Vector y = problem.data.y(subset);
  const ExactPosterior posterior(problem.model, x, y);
  FirstMode first;
  // Steps are scaled to what is around the anchor.
  Mode& mode = first.found.mode = find_mode(posterior, x, y, {}, {.top = Top::heaviest});
  if (mode.covariance.size() == 0) problem.without_curvature(mode.psi);
  first.found.guess = mode.covariance.size() > 0
                          ? mode.covariance
                          : Matrix(0.04 * Matrix::Identity(mode.psi.size(), mode.psi.size()));
  if (!exact) {
    first.searched_rows = static_cast<long>(subset.size());
    first.found.guess *= static_cast<double>(subset.size()) / static_cast<double>(n);
  }
  problem.covariance.at(mode.psi);  // where auto chooses
  first.backend = problem.covariance.backend();
  return first;
}

ModeOfAll find_mode_of_all(const SetupProblem& problem, const FirstMode& first) {
  if (problem.exact_mode()) return {.found = first.found};
  const Vector& start = first.found.mode.psi;
  ModeOfAll all;
  all.by_float = solves_in_float_pay(problem, start);
  const std::string what = "looking for the mode of all rows";
  problem.report(what);
  const FullModeOptions options{.preconditioner = problem.search_preconditioner(),
                                .seed = problem.seed};
  all.found.mode = find_full_mode(
      problem.model, problem.working(all.by_float), problem.data.y, start, first.found.guess,
      options, [&](int gradients, double length) {
        problem.report(fmt::format("{}, {} of at most {} gradients done, last step {:.2g} sd", what,
                                   gradients, options.most_gradients, length));
      });
  all.found.guess = all.found.mode.covariance;
  return all;
}

}  // namespace ulisse
