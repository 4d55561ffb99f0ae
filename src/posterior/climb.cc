#include "posterior/climb.h"

#include <ceres/gradient_problem.h>
#include <ceres/gradient_problem_solver.h>
#include <fmt/format.h>

#include <exception>
#include <limits>

#include "posterior/quiet_ceres.h"

namespace ulisse {

namespace {

// The best point of a climb so far.
struct Best {
  Vector psi;
  double log_density = -std::numeric_limits<double>::infinity();
};

// The negative log posterior for Ceres. A rejected point makes Evaluate fail, and the line search
// shortens its step. What is thrown is kept in `error`, since Ceres does not say that it can be
// thrown through: from then on every evaluation fails at once, and the search soon ends.
class Objective : public ceres::FirstOrderFunction {
 public:
  Objective(const ExactPosterior& posterior, const Matrix& factor, const Evaluated& evaluated,
            Best& best, std::exception_ptr& error)
      : posterior_(posterior), factor_(factor), evaluated_(evaluated), best_(best), error_(error) {}

  int NumParameters() const override {
    return static_cast<int>(posterior_.model().parameter_count());
  }

  bool Evaluate(const double* parameters, double* cost, double* gradient) const override {
    if (error_) return false;
    try {
      return evaluate(parameters, cost, gradient);
    } catch (...) {
      error_ = std::current_exception();
      return false;
    }
  }

 private:
  bool evaluate(const double* parameters, double* cost, double* gradient) const {
    const Vector psi = factor_ * Eigen::Map<const Vector>(parameters, NumParameters());
    const LogDensity density = gradient != nullptr ? posterior_.log_density_and_gradient(psi)
                                                   : posterior_.log_density(psi);
    if (density.value > best_.log_density) best_ = {psi, density.value};
    evaluated_(best_.log_density);
    if (density.rejected()) return false;
    *cost = -density.value;
    if (gradient != nullptr) {
      Eigen::Map<Vector>(gradient, NumParameters()) = -(factor_.transpose() * density.gradient);
    }
    return true;
  }

  const ExactPosterior& posterior_;
  const Matrix& factor_;
  const Evaluated& evaluated_;
  Best& best_;
  std::exception_ptr& error_;
};

ceres::GradientProblemSolver::Options solver_options(double gradient_tolerance) {
  ceres::GradientProblemSolver::Options options;
  options.line_search_direction_type = ceres::BFGS;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = 200;
  options.gradient_tolerance = gradient_tolerance;
  options.function_tolerance = 0;
  options.parameter_tolerance = 0;
  return options;
}

// Ceres's own words are for those who know its line searches.
std::string ending(ceres::TerminationType type, int iterations) {
  if (type == ceres::CONVERGENCE) return "converged";
  if (type == ceres::NO_CONVERGENCE)
    return fmt::format("the search ended after {} iterations, short of a mode", iterations);
  return "the search found no higher point, and the slope there is not that of a mode";
}

}  // namespace

std::optional<Climb> climb(const ExactPosterior& posterior, const Vector& start,
                           double gradient_tolerance, const Evaluated& evaluated) {
  const Matrix unit = Matrix::Identity(start.size(), start.size());
  return climb(posterior, unit, start, gradient_tolerance, evaluated);
}

std::optional<Climb> climb(const ExactPosterior& posterior, const Matrix& factor,
                           const Vector& start, double gradient_tolerance,
                           const Evaluated& evaluated) {
  Best best;
  std::exception_ptr error;
  const ceres::GradientProblem problem(new Objective(posterior, factor, evaluated, best, error));
  const auto options = solver_options(gradient_tolerance);
  ceres::GradientProblemSolver::Summary summary;
  Vector z = factor.triangularView<Eigen::Lower>().solve(start);
  {
    const QuietCeres quiet;
    ceres::Solve(options, problem, z.data(), &summary);
  }
  if (error) std::rethrow_exception(error);
  Vector psi = factor * z;
  // After a failed line search, as at the edge of what is positive definite, Ceres leaves psi at
  // the start.
  if (!summary.IsSolutionUsable() && best.psi.size() > 0) psi = best.psi;
  const LogDensity reached = posterior.log_density(psi);
  if (reached.rejected()) return std::nullopt;
  const auto type = summary.termination_type;
  return Climb{psi, reached.value, type == ceres::CONVERGENCE,
               ending(type, options.max_num_iterations)};
}

}  // namespace ulisse
