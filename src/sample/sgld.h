#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <concepts>
#include <stdexcept>

#include "sample/noise_history.h"
#include "sample/running_covariance.h"
#include "sample/solve_record.h"
#include "sample/step_schedule.h"

namespace ulisse {

// Unbiased estimates of the gradient of a log density, from probes that are drawn now and then and
// kept in between; begin() is called once, at the start of a chain.
template <class T>
concept GradientTarget = requires(T& target, const Vector& psi, Rng& rng, GradientState state) {
  target.begin(psi);
  target.draw_probes(rng);
  { target.estimate(psi, rng) } -> std::same_as<GradientEstimate>;
  { target.state() } -> std::convertible_to<GradientState>;
  target.set_state(state);
};

// Where V, the covariance of the stochastic gradients, comes from.
enum class NoiseFrom {
  batch,  // the spread of the gradients of a batch, as in the paper; it includes the chain's motion
  probes  // the covariance that each gradient carries, averaged over the batch
};

// How the step comes to be small enough.
enum class StepRule {
  schedule,  // the paper's: it falls by a schedule until the noise ratio is below its limit
  noise      // it is what the limit on the noise ratio allows, but never above first_step; so from
             // batch to batch until the end of warm-up
};

struct SgldOptions {
  StepRule rule = StepRule::noise;
  double first_step = 0.1;
  double last_step = 1e-4, gamma = 1;  // of the schedule
  int schedule = 40000;                // iterations over which it falls to last_step
  double noise_ratio = 0.02;           // limit on eps/4 lambda_max(M V)
  int batch = 100;                     // iterations between checks of that
  int redraw_every = 1;                // iterations for which probes are kept
  int longest_warmup = 500;            // after which the step is frozen, whatever the noise
  NoiseFrom noise_from = NoiseFrom::probes;

  // A step eps/2 M g~ is cut to so many standard deviations of the noise injected, sqrt(eps M).
  // The gradients' noise has a heavy tail when solves are cut early without a good preconditioner,
  // and would throw the chain to where solves take hundreds of products. Within 6/sqrt(eps)
  // standard deviations of the posterior the gradient itself is never cut.
  double longest_drift = 3;
};

// What a chain has done so far, for its summary.
struct SgldRecord {
  SolveRecord solves;
  NoiseHistory history;    // an entry for each check of the noise
  long cut_drifts = 0;     // to SgldOptions::longest_drift, since the step was frozen
  double noise_ratio = 0;  // eps/4 lambda_max(M V) at the last check
  double noise = 0;        // lambda_max(M V) there
  int frozen_at = -1;      // iteration; -1: not yet
  bool frozen_by_noise = false;

  template <class A>
  void archive(A& a) {
    a(solves, history, cut_drifts, noise_ratio, noise, frozen_at, frozen_by_noise);
  }
};

// Stochastic-gradient Langevin dynamics: psi += eps/2 M g~ + N(0, eps M). The step falls until the
// noise of the gradients is small against the noise injected, and then stays; that is the end of
// warm-up. Nothing is accepted or rejected, so the density is never needed; its bias is of the
// order of eps and of the noise ratio.
template <GradientTarget Target>
class Sgld {
 public:
  // Owns nothing of the target, which belongs to this chain alone. `metric` is M.
  Sgld(Target& target, Vector start, const Matrix& metric, const SgldOptions& options)
      : target_(target),
        options_(options),
        schedule_(options.first_step, options.last_step, options.schedule, options.gamma),
        metric_(metric),
        factor_(metric.llt().matrixL()),
        psi_(std::move(start)),
        gradients_(psi_.size()),
        own_noise_(Matrix::Zero(psi_.size(), psi_.size())),
        step_(options.first_step) {}

  Transition step(Rng& rng) {
    if (iteration_ == 0) target_.begin(psi_);
    if (iteration_ % options_.redraw_every == 0) target_.draw_probes(rng);
    const GradientEstimate estimate = target_.estimate(psi_, rng);
    record_.solves.add(estimate.solves);
    if (warming_up() && options_.rule == StepRule::schedule) step_ = schedule_.at(iteration_);
    psi_ +=
        drift(estimate.gradient) + std::sqrt(step_) * (factor_ * rng.normal_vector(psi_.size()));
    gradients_.add(estimate.gradient);
    own_noise_ += estimate.covariance / options_.batch;
    const double used = step_;
    ++iteration_;
    if (iteration_ % options_.batch == 0) check_noise();
    if (!psi_.allFinite()) {
      throw std::runtime_error(
          "the chain has left the range of floating point; a smaller first step may help");
    }
    return gradient_transition(psi_, used, estimate);
  }

  bool warming_up() const { return record_.frozen_at < 0; }
  int iteration() const { return iteration_; }
  double step_size() const { return step_; }
  const SgldRecord& record() const { return record_; }

  template <class A>
  void archive(A& a) {
    GradientState state = target_.state();
    a(iteration_, psi_, step_, gradients_, own_noise_, record_, state.probes, state.probe_weights,
      state.solutions);
    if (iteration_ > 0 && state.probes.size() == 0) {
      throw std::runtime_error("a saved state lacks the probes of its last step");
    }
    target_.set_state(std::move(state));
  }

 private:
  Vector drift(const Vector& gradient) {
    const Vector scaled = 0.5 * step_ * (factor_.transpose() * gradient);
    const double length = scaled.norm(), longest = options_.longest_drift * std::sqrt(step_);
    if (!(length > longest)) return factor_ * scaled;
    if (!warming_up()) ++record_.cut_drifts;
    return factor_ * (longest / length * scaled);
  }

  // eps/4 lambda_max(M^1/2 V M^1/2), the variance of the gradients' noise over that of the noise
  // injected.
  void check_noise() {
    const Matrix v = options_.noise_from == NoiseFrom::batch ? gradients_.covariance() : own_noise_;
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(factor_.transpose() * v * factor_);
    record_.noise = solver.eigenvalues().maxCoeff();
    record_.noise_ratio = noise_ratio();
    record_.history.add(iteration_, step_, record_.noise_ratio);
    gradients_.restart(psi_.size());
    own_noise_.setZero();
    if (warming_up()) settle();
  }

  // Probes that are kept for k iterations push k times in one direction: over them their noise has
  // k times the variance that the same noise drawn anew would have. The paper's rule ignores it.
  double noise_ratio() const {
    const double kept = options_.rule == StepRule::schedule ? 1 : options_.redraw_every;
    return step_ / 4 * kept * record_.noise;
  }

  void settle() {
    const bool by_schedule = options_.rule == StepRule::schedule;
    if (!by_schedule) {
      step_ *= options_.noise_ratio / record_.noise_ratio;
      step_ = std::min(options_.first_step, step_);
      record_.noise_ratio = noise_ratio();
    }
    constexpr double kRounding = 1 + 1e-9;
    const bool quiet = record_.noise_ratio <= kRounding * options_.noise_ratio;
    if ((by_schedule && quiet) || iteration_ >= options_.longest_warmup) {
      record_.frozen_at = iteration_;
      record_.frozen_by_noise = quiet;
    }
  }

  Target& target_;
  SgldOptions options_;
  StepSchedule schedule_;
  Matrix metric_, factor_;  // M = factor factor'
  int iteration_ = 0;
  Vector psi_;
  RunningCovariance gradients_;  // of this batch
  Matrix own_noise_;             // mean over this batch
  double step_;
  SgldRecord record_;
};

}  // namespace ulisse
