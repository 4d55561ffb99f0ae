#include <ceres/gradient_problem.h>
#include <ceres/gradient_problem_solver.h>
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ulisse/error.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

// The best point that a climb has seen.
struct Best {
  Vector psi;
  double log_density = -std::numeric_limits<double>::infinity();
};

// The negative log posterior for Ceres. A rejected point makes Evaluate fail, and the line search
// shortens its step.
class Objective : public ceres::FirstOrderFunction {
 public:
  Objective(const ExactPosterior& posterior, int& evaluations, Best& best)
      : posterior_(posterior), evaluations_(evaluations), best_(best) {}

  int NumParameters() const override {
    return static_cast<int>(posterior_.model().parameter_count());
  }

  bool Evaluate(const double* parameters, double* cost, double* gradient) const override {
    ++evaluations_;
    const Eigen::Map<const Vector> psi(parameters, NumParameters());
    const LogDensity density = gradient != nullptr ? posterior_.log_density_and_gradient(psi)
                                                   : posterior_.log_density(psi);
    if (density.rejected()) return false;
    if (density.value > best_.log_density) best_ = {psi, density.value};
    *cost = -density.value;
    if (gradient != nullptr) Eigen::Map<Vector>(gradient, NumParameters()) = -density.gradient;
    return true;
  }

 private:
  const ExactPosterior& posterior_;
  int& evaluations_;
  Best& best_;
};

struct Climb {
  Vector psi;
  double log_density;
  bool converged;
  std::string message;
};

std::optional<Climb> climb(const ExactPosterior& posterior, const Vector& start,
                           double gradient_tolerance, int& evaluations) {
  Best best;
  const ceres::GradientProblem problem(new Objective(posterior, evaluations, best));
  ceres::GradientProblemSolver::Options options;
  options.line_search_direction_type = ceres::BFGS;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = 200;
  options.gradient_tolerance = gradient_tolerance;
  options.function_tolerance = 0;
  options.parameter_tolerance = 0;
  ceres::GradientProblemSolver::Summary summary;
  Vector psi = start;
  ceres::Solve(options, problem, psi.data(), &summary);
  // After a failed line search, as at the edge of what is positive definite, Ceres leaves psi at
  // the start.
  if (!summary.IsSolutionUsable() && best.psi.size() > 0) psi = best.psi;
  const LogDensity reached = posterior.log_density(psi);
  if (reached.rejected()) return std::nullopt;
  return Climb{psi, reached.value, summary.termination_type == ceres::CONVERGENCE, summary.message};
}

// Signal and noise that share the target's variance in three ways, correlation over a tenth, a
// third or all of the inputs' spread. Medians over the parameters of one kernel only differ by
// scale, so inputs and target enter through their variances.
std::vector<Vector> starting_points(const Model& model, const ConstBlock& x, const ConstVector& y) {
  const auto variance = [](const ConstVector& v) {
    return std::max((v.array() - v.mean()).square().mean(), 1e-12);
  };
  std::vector<Vector> starts;
  for (const auto& [noise_share, reach] :
       {std::pair{0.1, 1.0}, std::pair{0.5, 0.3}, std::pair{0.01, 3.0}}) {
    Vector psi(model.parameter_count());
    const Index last = psi.size() - 1;
    psi(0) = std::log(variance(y) * (1 - noise_share));
    psi(last) = std::log(variance(y) * noise_share);
    for (Index k = 0; k < model.dimensions; ++k) {
      const double tau =
          1 / (static_cast<double>(model.dimensions) * variance(x.col(k)) * reach * reach);
      if (model.kernel.ard) psi(1 + k) = std::log(tau);
      if (!model.kernel.ard)
        psi(1) = (k == 0 ? 0 : psi(1)) + std::log(tau) / static_cast<double>(model.dimensions);
    }
    starts.push_back(psi);
  }
  return starts;
}

Vector best_start(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
                  int& evaluations) {
  constexpr Index kSubset = 300;
  const Indices rows = random_subset(y.size(), kSubset, 0);
  const Matrix x_small = x(rows, Eigen::all);
  const Vector y_small = y(rows);
  const ExactPosterior small(posterior.model(), x_small, y_small);
  std::optional<Climb> best;
  for (const Vector& start : starting_points(posterior.model(), x, y)) {
    const auto reached = climb(small, start, 1e-2, evaluations);
    if (reached && (!best || reached->log_density > best->log_density)) best = reached;
  }
  if (best) return best->psi;
  throw InputError("no mode was found: " +
                   posterior.log_density(starting_points(posterior.model(), x, y)[0]).rejection);
}

Matrix inverse_information(const Matrix& hessian) {
  const Eigen::LLT<Matrix> factor(-hessian);
  if (!hessian.allFinite() || factor.info() != Eigen::Success) return {};
  return factor.solve(Matrix::Identity(hessian.rows(), hessian.cols()));
}

}  // namespace

Mode find_mode(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y) {
  Mode mode;
  mode.evaluations = 0;
  const Vector start = best_start(posterior, x, y, mode.evaluations);
  const auto reached = climb(posterior, start, 1e-5, mode.evaluations);
  if (!reached) throw InputError("no mode was found: " + posterior.log_density(start).rejection);
  mode.psi = reached->psi;
  const LogDensity density = posterior.log_density_and_gradient(mode.psi);
  mode.log_density = density.value;
  mode.gradient = density.gradient;
  // Ceres also calls it convergence when rounding leaves no step to take, wherever that is.
  mode.converged = reached->converged && mode.gradient.cwiseAbs().maxCoeff() < 1e-2;
  mode.message = reached->message;
  mode.covariance = inverse_information(posterior.hessian(mode.psi));
  return mode;
}

}  // namespace ulisse
