#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "posterior/climb.h"
#include "posterior/mode_reporter.h"
#include "posterior/mode_starts.h"
#include "posterior/mode_words.h"
#include "posterior/one_sided_hessian.h"
#include "posterior/other_modes.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

using Stage = ModeProgress::Stage;

[[noreturn]] void fail(const Model& model, const std::string& rejection) {
  throw InputError(no_density_words(model, rejection));
}

// NaN, which compares with nothing, stands last.
void best_first(std::vector<Climb>& climbs) {
  const auto value = [](const Climb& c) {
    return std::isnan(c.log_density) ? -INFINITY : c.log_density;
  };
  std::stable_sort(climbs.begin(), climbs.end(),
                   [&](const Climb& a, const Climb& b) { return value(a) > value(b); });
}

// Rows of a part of the table on which much can be tried.
constexpr Index kPartRows = 1000;

// All of them, where they are not many more.
Index rows_to_look_around(Index n) { return n <= 3 * kPartRows / 2 ? n : kPartRows; }

// Some of the rows, evenly likely to be any, and their posterior.
struct Part {
  Matrix x;
  Vector y;
  ExactPosterior posterior;

  Part(const Model& model, const ConstBlock& all_x, const ConstVector& all_y, const Indices& rows)
      : x(all_x(rows, Eigen::all)), y(all_y(rows)), posterior(model, x, y) {}
};

Part part_of(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
             Index rows) {
  return {posterior.model(), x, y, random_subset(y.size(), rows, 0)};
}

// The best first: each place once, and none that is hopeless. The best stays whatever its log
// density, which may be too large for a difference of 5 to count.
std::vector<Climb> promising(std::vector<Climb> ends) {
  constexpr double kMaxLogDensityDeficit = 5;
  best_first(ends);
  std::vector<Climb> kept;
  for (const Climb& end : ends) {
    const bool is_known = std::any_of(
        kept.begin(), kept.end(), [&](const Climb& other) { return is_near(other.psi, end.psi); });
    if (kept.empty() ||
        (!is_known && end.log_density > ends[0].log_density - kMaxLogDensityDeficit)) {
      kept.push_back(end);
    }
  }
  return kept;
}

// Where climbs on a small subset end.
std::vector<Climb> ends_on_few(const ExactPosterior& posterior, const ConstBlock& x,
                               const ConstVector& y, ModeReporter& reporter) {
  constexpr Index kFewRows = 300;
  const Part few = part_of(posterior, x, y, kFewRows);
  reporter.begin(Stage::starting_points, few.y.size());
  const auto evaluated = [&](double best_here) { reporter.evaluated(best_here); };
  const std::vector<Vector> starts = starting_points(posterior.model(), x, y);
  std::vector<Climb> ends;
  for (const Vector& start : starts) {
    const auto reached = climb(few.posterior, start, 1e-2, evaluated);
    if (reached) ends.push_back(*reached);
  }
  if (ends.empty()) fail(posterior.model(), posterior.log_density(starts[0]).rejection);
  return promising(std::move(ends));
}

Matrix inverse_information(const Matrix& hessian) {
  const Eigen::LLT<Matrix> factor(-hessian);
  if (!hessian.allFinite() || factor.info() != Eigen::Success) return {};
  return factor.solve(Matrix::Identity(hessian.rows(), hessian.cols()));
}

// Where rounding ends a climb, Ceres may call it convergence far from a mode, and failure at one.
// The Newton step that is left decides, g'Cg in squared standard deviations; where there is no C,
// the gradient.
bool is_mode(const Climb& reached, const Mode& mode) {
  if (!mode.gradient.allFinite()) return false;
  if (mode.covariance.size() > 0) return mode.gradient.dot(mode.covariance * mode.gradient) < 1e-6;
  return reached.converged && mode.gradient.cwiseAbs().maxCoeff() < 1e-2;
}

std::string message(const Climb& reached, bool is_a_mode) {
  if (is_a_mode) return "converged";
  if (reached.converged) return "rounding left the search no step to take, short of a mode";
  return reached.message;
}

Mode mode_at(const ExactPosterior& posterior, const Climb& reached, const Evaluated& evaluated) {
  Mode mode{.psi = reached.psi};
  const LogDensity density = posterior.log_density_and_gradient(mode.psi);
  mode.log_density = reached.log_density;
  mode.gradient = density.rejected() ? Vector::Constant(mode.psi.size(), NAN) : density.gradient;
  mode.covariance =
      inverse_information(hessian_takes_both_sides(posterior.size()) || density.rejected()
                              ? posterior.hessian(mode.psi, evaluated)
                              : one_sided_hessian(posterior, mode.psi, mode.gradient, evaluated));
  mode.converged = is_mode(reached, mode);
  mode.message = message(reached, mode.converged);
  return mode;
}

// Where a climb begins, and the factor of a covariance in whose units it goes.
struct Ascent {
  Vector start;
  Matrix factor;
};

// The Hessian of the log prior.
Matrix hessian_of_prior(const Model& model, const Vector& psi) {
  constexpr double kStep = 1e-3;
  Matrix h(psi.size(), psi.size());
  for (Index j = 0; j < psi.size(); ++j) {
    const Vector away = kStep * Vector::Unit(psi.size(), j);
    h.col(j) =
        (model.log_prior(psi + away).gradient - model.log_prior(psi - away).gradient) / (2 * kStep);
  }
  return h;
}

// On `rows` rows from `place`, a mode of the part, in units of the covariance that is expected
// there: the likelihood's information grows with the rows, the prior's does not. The posterior is
// rounder in them, and the climb takes a third of the steps.
Ascent ascent_from(const ExactPosterior& part, const Vector& place, Index rows,
                   const Evaluated& evaluated) {
  const Matrix of_prior = hessian_of_prior(part.model(), place);
  const double growth = static_cast<double>(rows) / static_cast<double>(part.size());
  const Matrix hessian = growth * (part.hessian(place, evaluated) - of_prior) + of_prior;
  const Matrix covariance = inverse_information(hessian);
  if (covariance.size() == 0) return {place, Matrix::Identity(place.size(), place.size())};
  return {place, Matrix(covariance.llt().matrixL())};
}

// From modes of few rows to those of more and more of them, as long as four times as many are left.
std::vector<Ascent> ascents_to_all(const ExactPosterior& posterior, const ConstBlock& x,
                                   const ConstVector& y, std::vector<Climb> ends,
                                   ModeReporter& reporter) {
  constexpr Index kGrowth = 4;
  constexpr double kShareOfAll = 0.67;
  const auto evaluated = [&](double best_here) { reporter.evaluated(best_here); };
  const Index n = y.size(), p = posterior.model().parameter_count();
  const Matrix unit = Matrix::Identity(p, p);
  std::vector<Ascent> ascents;
  for (const Climb& end : ends) ascents.push_back({end.psi, unit});
  for (Index rows = kPartRows; static_cast<double>(rows) < kShareOfAll * static_cast<double>(n);
       rows *= kGrowth) {
    const Part part = part_of(posterior, x, y, rows);
    reporter.begin(Stage::climb, rows);
    std::vector<Climb> reached;
    for (const Ascent& ascent : ascents) {
      const auto end = climb(part.posterior, ascent.factor, ascent.start, 1e-2, evaluated);
      if (end) reached.push_back(*end);
    }
    if (reached.empty()) continue;
    ascents.clear();
    for (const Climb& end : promising(std::move(reached))) {
      ascents.push_back(ascent_from(part.posterior, end.psi, n, evaluated));
    }
  }
  return ascents;
}

// Adds where climbs end, each place once, and puts the best first.
void climb_all(const ExactPosterior& posterior, const std::vector<Ascent>& ascents,
               const Evaluated& evaluated, std::vector<Climb>& climbs) {
  constexpr double kTolerance = 1e-5;
  for (const auto& [start, factor] : ascents) {
    const auto reached = climb(posterior, factor, start, kTolerance, evaluated);
    if (!reached) continue;
    const bool is_known = std::any_of(climbs.begin(), climbs.end(), [&](const Climb& other) {
      return is_near(other.psi, reached->psi);
    });
    if (!is_known) climbs.push_back(*reached);
  }
  best_first(climbs);
}

// Data may be explained by more than one choice of inputs, and few rows also by signal or by noise.
bool may_have_many_modes(const ExactPosterior& posterior) {
  constexpr Index kMaxRowsWithUncertainNoise = 500;
  return posterior.model().layout.inverse_squared_lengths() > 1 ||
         posterior.size() <= kMaxRowsWithUncertainNoise;
}

// Looks for other modes far from the best one, on some of the rows where there are many more.
void look_around(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
                 ModeReporter& reporter, std::vector<Climb>& climbs) {
  constexpr double kMaxLogDensityDeficit = 10;
  const auto evaluated = [&](double log_density) { reporter.evaluated(log_density); };
  const Index rows = rows_to_look_around(y.size());
  const Part part = part_of(posterior, x, y, rows);
  reporter.begin(Stage::other_modes, rows);
  std::vector<Ascent> ascents;
  const auto home = climb(part.posterior, climbs[0].psi, 1e-2, evaluated);
  if (!home) return;
  const Mode best = mode_at(part.posterior, *home, evaluated);
  if (best.covariance.size() == 0) return;
  for (const Vector& start : modes_around(best, part.posterior, evaluated)) {
    ascents.push_back(ascent_from(part.posterior, start, y.size(), evaluated));
  }
  reporter.begin(Stage::climb, posterior.size());
  climb_all(posterior, ascents, evaluated, climbs);
  std::erase_if(climbs, [&](const Climb& c) {
    return c.log_density < climbs[0].log_density - kMaxLogDensityDeficit;
  });
}

std::vector<Tops> each_alone(const std::vector<Climb>& climbs) {
  std::vector<Tops> pieces;
  pieces.reserve(climbs.size());
  for (const Climb& each : climbs) pieces.push_back({each});
  return pieces;
}

std::vector<Piece> modes_of(const ExactPosterior& posterior, const std::vector<Tops>& pieces,
                            const Evaluated& evaluated) {
  std::vector<Piece> result;
  for (const Tops& tops : pieces) {
    result.emplace_back();
    for (const Climb& top : tops) result.back().push_back(mode_at(posterior, top, evaluated));
  }
  return result;
}

}  // namespace

double distance_from_mode(const Mode& mode) {
  const bool known = mode.covariance.size() > 0 && mode.gradient.size() == mode.covariance.rows();
  return known ? std::sqrt(mode.gradient.dot(mode.covariance * mode.gradient)) : NAN;
}

Mode find_mode(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
               const ModeObserver& observer, const ModeSearch& search) {
  ModeReporter reporter(observer);
  const auto evaluated = [&](double log_density) { reporter.evaluated(log_density); };
  const std::vector<Ascent> ascents =
      ascents_to_all(posterior, x, y, ends_on_few(posterior, x, y, reporter), reporter);
  reporter.begin(Stage::climb, posterior.size());
  std::vector<Climb> climbs;
  climb_all(posterior, ascents, evaluated, climbs);
  if (climbs.empty()) fail(posterior.model(), posterior.log_density(ascents[0].start).rejection);
  const bool far = search.far && may_have_many_modes(posterior);
  if (far) look_around(posterior, x, y, reporter, climbs);
  const auto pieces = far ? joined(posterior, climbs, evaluated) : each_alone(climbs);
  const int evaluations = reporter.total();
  reporter.begin(Stage::hessian, posterior.size());
  Mode mode = best_of(modes_of(posterior, pieces, evaluated), search.top);
  mode.evaluations = evaluations;
  return mode;
}

}  // namespace ulisse
