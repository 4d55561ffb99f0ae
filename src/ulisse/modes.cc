#include "ulisse/modes.h"

#include <fmt/format.h>

#include <algorithm>

#include "ulisse/backend.h"
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

// Told how far a climb is.
std::function<void(int, double)> teller(const SetupProblem& problem, const std::string& what,
                                        const FullModeOptions& options) {
  return [&problem, what, most = options.most_gradients](int gradients, double length) {
    problem.report(fmt::format("{}, {} of at most {} gradients done, last step {:.2g} sd", what,
                               gradients, most, length));
  };
}

// The mode of some of the rows, as that of all is found.
ModeFound climb_on(const SetupProblem& problem, const Indices& rows, const ModeFound& start,
                   bool by_float, const FullModeOptions& options) {
  const Matrix x = problem.data.x(rows, Eigen::all);
  const Vector y = problem.data.y(rows);
  const Backend backend = backend_named(exact_backend());
  const auto in_double = make_covariance(problem.model, x, {.backend = backend.name});
  const auto in_float =
      by_float ? make_covariance(problem.model, x, {.backend = backend.can.lower_precision})
               : nullptr;
  const std::string what = fmt::format("looking for the mode of {} rows", rows.size());
  problem.report(what);
  ModeFound found;
  found.mode = find_full_mode(problem.model, WorkingCovariance(*in_double, in_float.get()), y,
                              start.mode.psi, start.guess, options, teller(problem, what, options));
  found.guess = found.mode.covariance;
  return found;
}

// Modes of more and more rows: each is nearer to that of all, and costs a sixteenth of the next.
// The covariance shrinks as rows grow.
ModeFound climb_by_subsets(const SetupProblem& problem, const ModeFound& first, bool by_float,
                           const FullModeOptions& options) {
  constexpr Index kGrowth = 4, kFewest = 4000;
  constexpr double kShareOfAll = 0.4;  // more costs nearly as much as all
  const Index n = problem.rows();
  // The next mode is more than a standard deviation away in any case.
  FullModeOptions nearly = options;
  nearly.probes = 16;
  nearly.last_step_in_sd = 0.5;
  ModeFound found = first;
  const auto guess_for = [&](Index from, Index to) {
    return Matrix(static_cast<double>(from) / static_cast<double>(to) * found.guess);
  };
  Index before = n;  // that the guess is of
  for (Index count = std::max(kFewest, kGrowth * problem.settings.subset);
       static_cast<double>(count) <= kShareOfAll * static_cast<double>(n); count *= kGrowth) {
    ModeFound start = found;
    start.guess = guess_for(before, count);
    const ModeFound there =
        climb_on(problem, random_subset(n, count, problem.seed), start, by_float, nearly);
    if (!there.mode.converged) continue;
    found = there;
    before = count;
  }
  found.guess = guess_for(before, n);
  return found;
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
  ModeOfAll all;
  all.by_float = solves_in_float_pay(problem, first.found.mode.psi);
  const FullModeOptions options{.preconditioner = problem.search_preconditioner(),
                                .seed = problem.seed};
  const ModeFound start = climb_by_subsets(problem, first.found, all.by_float, options);
  const std::string what = "looking for the mode of all rows";
  problem.report(what);
  all.found.mode =
      find_full_mode(problem.model, problem.working(all.by_float), problem.data.y, start.mode.psi,
                     start.guess, options, teller(problem, what, options));
  all.found.guess = all.found.mode.covariance;
  return all;
}

}  // namespace ulisse
