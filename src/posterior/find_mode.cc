#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "base/watch.h"
#include "posterior/climb.h"
#include "posterior/mode_words.h"
#include "posterior/other_modes.h"
#include "solve/trend_given_data.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

using Stage = ModeProgress::Stage;

// Counts evaluations and reports them to the observer and to the watch.
class Reporter {
 public:
  explicit Reporter(const ModeObserver& observer) : observer_(observer) {}

  void begin(Stage stage, Index rows) {
    progress_ = {.stage = stage, .rows = rows};
    report();
  }

  void evaluated(double log_density) {
    ++total_;
    ++progress_.evaluations;
    progress_.log_density = std::max(progress_.log_density, log_density);
    report();
  }

  int total() const { return total_; }

 private:
  void report() {
    if (observer_) observer_(progress_);
    step_.say([&] { return to_words(progress_); });
  }

  const ModeObserver& observer_;
  ModeProgress progress_{};
  WatchStep step_;
  int total_ = 0;
};

[[noreturn]] void fail(const Model& model, const std::string& rejection) {
  throw InputError(no_density_words(model, rejection));
}

// The variance of an input that counts for distances: half of E|x - x'|^2.
double spread_of(const KernelInput& input, const ConstBlock& x) {
  const auto column = x.col(input.column);
  const auto n = static_cast<double>(x.rows());
  switch (input.kind) {
    case KernelInput::Kind::number:
      return (column.array() - column.mean()).matrix().squaredNorm() / n;
    case KernelInput::Kind::circle: {
      const Vector angle = column * (2 * std::numbers::pi / input.period);
      const double c = angle.array().cos().mean(), s = angle.array().sin().mean();
      return 1 - c * c - s * s;
    }
    case KernelInput::Kind::category: {
      std::map<double, double> counts;
      for (const double level : column) ++counts[level];
      double equal = 0;
      for (const auto& [level, count] : counts) equal += count * count / (n * n);
      return (1 - equal) / 2;
    }
  }
  return 0;
}

Vector spreads(const std::vector<KernelInput>& inputs, const ConstBlock& x) {
  Vector result(static_cast<Index>(inputs.size()));
  for (Index k = 0; k < result.size(); ++k) {
    result(k) = spread_of(inputs[static_cast<std::size_t>(k)], x);
  }
  return result;
}

// What a trend by least squares leaves of y.
Vector without_trend(const Mean& mean, const ConstBlock& x, const ConstVector& y) {
  if (mean.size() == 0) return y;
  const Matrix h = mean.basis(x);
  return y - h * TrendGivenData(mean, h.transpose() * h, h.transpose() * y).mean();
}

// Where a search begins: the noise's share of the second moment, the reach of correlation in units
// of the inputs' spread, and by what factor it grows from one term of the kernel to the next, so
// that terms of the same shape are told apart.
struct Start {
  double noise_share, reach, growth;
};

// Signal and noise that share the target's second moment (what there is of a mean is taken away) in
// several ways, and correlation over a third, all or many times the inputs' spread. With one length
// scale for all inputs, those of small spread hardly count: what matters is E|x - x'|^2, twice the
// sum of their variances.
std::vector<Vector> starting_points(const Model& model, const ConstBlock& x, const ConstVector& y) {
  constexpr double kMinSecondMoment = 1e-290;  // parts of it must be numbers, too
  const double moment =
      std::max(without_trend(model.mean, x, y).squaredNorm() / static_cast<double>(y.size()),
               kMinSecondMoment);
  const auto inputs = static_cast<double>(model.dimensions - (model.noise.known ? 1 : 0));
  const auto middle = static_cast<double>(model.kernel.terms.size() - 1) / 2;
  std::vector<Vector> starts;
  for (const auto& [noise_share, reach, growth] :
       {Start{0.1, 1.0, 3}, Start{0.5, 0.3, 0.2}, Start{0.9, 1.0, 3}, Start{0.01, 3.0, 0.2},
        Start{0.01, 30.0, 0.1}, Start{0.03, 0.3, 5}, Start{0.03, 0.1, 10}, Start{0.5, 3.0, 0.1}}) {
    // A constant input says nothing about its scale.
    const auto log_inverse = [&](const Parameter& tau) {
      const double log_reach =
          std::log(reach) + (static_cast<double>(tau.term) - middle) * std::log(growth);
      const double spread =
          inputs / static_cast<double>(tau.inputs.size()) * spreads(tau.inputs, x).sum();
      return spread > 0 ? -std::log(spread) - 2 * log_reach : 0;
    };
    starts.push_back(
        model.layout.psi_with({.log_signal_variance = std::log(moment * (1 - noise_share)),
                               .log_noise_variance = std::log(moment * noise_share),
                               .log_inverse_squared_length = log_inverse}));
  }
  return starts;
}

// NaN, which compares with nothing, stands last.
void best_first(std::vector<Climb>& climbs) {
  const auto value = [](const Climb& c) {
    return std::isnan(c.log_density) ? -INFINITY : c.log_density;
  };
  std::stable_sort(climbs.begin(), climbs.end(),
                   [&](const Climb& a, const Climb& b) { return value(a) > value(b); });
}

// Where climbs on a small subset end, the best first: each place once, and none that is hopeless.
std::vector<Vector> starts_on_all(const ExactPosterior& posterior, const ConstBlock& x,
                                  const ConstVector& y, Reporter& reporter) {
  constexpr Index kSubsetRows = 300;
  constexpr double kMaxLogDensityDeficit = 5;
  const Indices rows = random_subset(y.size(), kSubsetRows, 0);
  const Matrix x_small = x(rows, Eigen::all);
  const Vector y_small = y(rows);
  const ExactPosterior small(posterior.model(), x_small, y_small);
  reporter.begin(Stage::starting_points, small.size());
  std::vector<Climb> ends;
  for (const Vector& start : starting_points(posterior.model(), x, y)) {
    const auto reached =
        climb(small, start, 1e-2, [&](double best_here) { reporter.evaluated(best_here); });
    if (reached) ends.push_back(*reached);
  }
  if (ends.empty())
    fail(posterior.model(),
         posterior.log_density(starting_points(posterior.model(), x, y)[0]).rejection);
  best_first(ends);
  std::vector<Vector> starts;
  for (const Climb& end : ends) {
    const bool is_known = std::any_of(starts.begin(), starts.end(),
                                      [&](const Vector& other) { return is_near(other, end.psi); });
    // The best stays whatever its log density, which may be too large for a difference of 5 to
    // count.
    if (starts.empty() ||
        (!is_known && end.log_density > ends[0].log_density - kMaxLogDensityDeficit)) {
      starts.push_back(end.psi);
    }
  }
  return starts;
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
  mode.covariance = inverse_information(posterior.hessian(mode.psi, evaluated));
  mode.converged = is_mode(reached, mode);
  mode.message = message(reached, mode.converged);
  return mode;
}

// Adds where climbs end, each place once, and puts the best first.
void climb_all(const ExactPosterior& posterior, const std::vector<Vector>& starts,
               const Evaluated& evaluated, std::vector<Climb>& climbs) {
  for (const Vector& start : starts) {
    const auto reached = climb(posterior, start, 1e-5, evaluated);
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

// Looks for other modes far from the best one.
void look_around(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
                 Reporter& reporter, std::vector<Climb>& climbs) {
  constexpr Index kSubsetRows = 1000;
  constexpr double kMaxLogDensityDeficit = 10;
  const auto evaluated = [&](double log_density) { reporter.evaluated(log_density); };
  const Mode best = mode_at(posterior, climbs[0], evaluated);
  if (best.covariance.size() == 0) return;
  const Indices rows = random_subset(y.size(), kSubsetRows, 0);
  const Matrix x_small = x(rows, Eigen::all);
  const Vector y_small = y(rows);
  const ExactPosterior small(posterior.model(), x_small, y_small);
  reporter.begin(Stage::other_modes, small.size());
  const auto starts = starts_around(best, y.size(), small, evaluated);
  reporter.begin(Stage::climb, posterior.size());
  climb_all(posterior, starts, evaluated, climbs);
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
  Reporter reporter(observer);
  const auto evaluated = [&](double log_density) { reporter.evaluated(log_density); };
  const std::vector<Vector> starts = starts_on_all(posterior, x, y, reporter);
  reporter.begin(Stage::climb, posterior.size());
  std::vector<Climb> climbs;
  climb_all(posterior, starts, evaluated, climbs);
  if (climbs.empty()) fail(posterior.model(), posterior.log_density(starts[0]).rejection);
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
