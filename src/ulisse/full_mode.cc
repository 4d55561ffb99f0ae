#include "ulisse/full_mode.h"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "ulisse/anchored_gradient.h"
#include "ulisse/precise_solves.h"

namespace ulisse {

namespace {

constexpr double kMaxStepInLogParameter = 1;
constexpr double kMaxLogDistanceFromBase = 1.5;  // beyond it, in any log parameter, a new base

class Climb {
 public:
  Climb(const Model& model, const WorkingCovariance& covariance, const ConstVector& y,
        const FullModeOptions& options, const std::function<void(int, double)>& evaluated)
      : model_(model),
        covariance_(covariance.fast != nullptr ? *covariance.fast : *covariance.precise),
        y_(y),
        options_(options),
        evaluated_(evaluated) {}

  Mode run(const Vector& start, const Matrix& guess) {
    inverse_ = guess;
    psi_ = start;
    rebase();
    bool converged = false;
    while (gradients_ < options_.most_gradients && !converged) {
      const Vector step = shortened(inverse_ * gradient_);
      length_ = (inverse_.llt().matrixL().solve(step)).norm();
      converged = length_ < options_.last_step_in_sd;
      if (converged) {
        psi_ += step;
      } else {
        take(step);
      }
    }
    return {.psi = psi_,
            .log_density = std::numeric_limits<double>::quiet_NaN(),
            .gradient = gradient_,
            .covariance = inverse_,
            .evaluations = gradients_,
            .converged = converged,
            .message = converged ? "converged" : "steps did not become short"};
  }

 private:
  // A preconditioner, probes and solutions at psi.
  void rebase() {
    const auto k = covariance_.precise->at(psi_);
    cg_ = precise_solves(y_, k->noise().minCoeff(), 1e-3);
    base_ = make_anchor(covariance_, y_, psi_, make_preconditioner(*k, options_.preconditioner),
                        {.bank = options_.probes, .seed = options_.seed, .cg = cg_});
    gradient_ = gradient_at(psi_);
  }

  Vector gradient_at(const Vector& psi) {
    const AnchoredGradient gradient(model_, covariance_, base_,
                                    {.probes = 1, .cg = cg_, .careful = true});
    Vector g = gradient.with_whole_bank(psi).gradient;
    ++gradients_;
    if (evaluated_) evaluated_(gradients_, length_);
    return g;
  }

  static Vector shortened(const Vector& step) {
    const double largest = step.cwiseAbs().maxCoeff();
    return largest > kMaxStepInLogParameter ? Vector(kMaxStepInLogParameter / largest * step)
                                            : step;
  }

  // Halves the step until the gradient, in the present metric, grows to no more than twice itself.
  void take(Vector step) {
    constexpr int kHalvings = 4;
    const double before = gradient_.dot(inverse_ * gradient_);
    for (int i = 0; i <= kHalvings; ++i, step *= 0.5) {
      const Vector g = gradient_at(psi_ + step);
      const bool good = g.allFinite() && (g.dot(inverse_ * g) < 4 * before || i == kHalvings);
      if (g.allFinite()) learn(step, gradient_ - g);
      if (!good) continue;
      psi_ += step;
      gradient_ = g;
      break;
    }
    if ((psi_ - base_.psi).cwiseAbs().maxCoeff() > kMaxLogDistanceFromBase) rebase();
  }

  // BFGS for the inverse of the information: `change` is what the gradient lost along `step`.
  void learn(const Vector& step, const Vector& change) {
    const double curvature = step.dot(change);
    if (!(curvature > 1e-4 * step.norm() * change.norm())) return;
    const Matrix identity = Matrix::Identity(step.size(), step.size());
    const Matrix left = identity - step * change.transpose() / curvature;
    inverse_ = left * inverse_ * left.transpose() + step * step.transpose() / curvature;
  }

  const Model& model_;
  WorkingCovariance covariance_;
  const ConstVector y_;
  const FullModeOptions& options_;
  const std::function<void(int, double)>& evaluated_;
  CgOptions cg_;
  Anchor base_;
  Vector psi_, gradient_;
  Matrix inverse_;
  double length_ = 0;
  int gradients_ = 0;
};

}  // namespace

Mode find_full_mode(const Model& model, const WorkingCovariance& covariance, const ConstVector& y,
                    const Vector& start, const Matrix& guess, const FullModeOptions& options,
                    const std::function<void(int, double)>& evaluated) {
  return Climb(model, covariance, y, options, evaluated).run(start, guess);
}

}  // namespace ulisse
