#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "gradient/climb.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

using Stage = ModeProgress::Stage;

// Counts evaluations and tells the observer of them.
class Reporter {
 public:
  explicit Reporter(const ModeObserver& observer) : observer_(observer) {}

  void begin(Stage stage, Index rows) {
    progress_ = {.stage = stage, .rows = rows};
    tell();
  }

  void evaluated(double log_density) {
    ++total_;
    ++progress_.evaluations;
    progress_.log_density = std::max(progress_.log_density, log_density);
    tell();
  }

  int total() const { return total_; }

 private:
  void tell() const {
    if (observer_) observer_(progress_);
  }

  const ModeObserver& observer_;
  ModeProgress progress_{};
  int total_ = 0;
};

[[noreturn]] void fail(const std::string& rejection) {
  throw InputError("no mode was found: there is no density where the search begins: " + rejection);
}

// Signal and noise that share the target's second moment (the model has no mean) in four ways, and
// correlation over a third, all or many times the inputs' spread. With one tau for all inputs,
// those of small spread hardly count: what matters is E|x - x'|^2, twice the sum of their
// variances.
std::vector<Vector> starting_points(const Model& model, const ConstBlock& x, const ConstVector& y) {
  const double moment =
      std::max(y.squaredNorm() / static_cast<double>(y.size()), std::numeric_limits<double>::min());
  const Matrix centred = x.rowwise() - x.colwise().mean();
  const Vector variances = centred.colwise().squaredNorm() / static_cast<double>(x.rows());
  const double dimensions = static_cast<double>(model.dimensions);
  std::vector<Vector> starts;
  for (const auto& [noise_share, reach] :
       {std::pair{0.1, 1.0}, std::pair{0.5, 0.3}, std::pair{0.01, 3.0}, std::pair{0.01, 30.0}}) {
    Vector psi(model.parameter_count());
    psi(0) = std::log(moment * (1 - noise_share));
    psi(psi.size() - 1) = std::log(moment * noise_share);
    // A constant input says nothing about its scale.
    const auto log_tau = [&](double spread) {
      return spread > 0 ? -std::log(spread) - 2 * std::log(reach) : 0;
    };
    if (!model.kernel.ard) psi(1) = log_tau(variances.sum());
    for (Index k = 0; model.kernel.ard && k < model.dimensions; ++k) {
      psi(1 + k) = log_tau(dimensions * variances(k));
    }
    starts.push_back(psi);
  }
  return starts;
}

Vector best_start(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
                  Reporter& reporter) {
  constexpr Index kSubset = 300;
  const Indices rows = random_subset(y.size(), kSubset, 0);
  const Matrix x_small = x(rows, Eigen::all);
  const Vector y_small = y(rows);
  const ExactPosterior small(posterior.model(), x_small, y_small);
  reporter.begin(Stage::starting_points, small.size());
  std::optional<Climb> best;
  for (const Vector& start : starting_points(posterior.model(), x, y)) {
    const auto reached =
        climb(small, start, 1e-2, [&](double best_here) { reporter.evaluated(best_here); });
    if (reached && (!best || reached->log_density > best->log_density)) best = reached;
  }
  if (best) return best->psi;
  fail(posterior.log_density(starting_points(posterior.model(), x, y)[0]).rejection);
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

}  // namespace

Mode find_mode(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
               const ModeObserver& observer) {
  Reporter reporter(observer);
  const auto evaluated = [&](double log_density) { reporter.evaluated(log_density); };
  const Vector start = best_start(posterior, x, y, reporter);
  reporter.begin(Stage::climb, posterior.size());
  const auto reached = climb(posterior, start, 1e-5, evaluated);
  if (!reached) fail(posterior.log_density(start).rejection);
  Mode mode{.psi = reached->psi};
  const LogDensity density = posterior.log_density_and_gradient(mode.psi);
  mode.log_density = reached->log_density;
  mode.gradient = density.rejected() ? Vector::Constant(mode.psi.size(), NAN) : density.gradient;
  mode.evaluations = reporter.total();
  reporter.begin(Stage::hessian, posterior.size());
  mode.covariance = inverse_information(posterior.hessian(mode.psi, evaluated));
  mode.converged = is_mode(*reached, mode);
  mode.message = message(*reached, mode.converged);
  return mode;
}

}  // namespace ulisse
