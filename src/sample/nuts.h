#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "sample/adaptation_windows.h"
#include "sample/dual_averaging.h"
#include "sample/nuts_tree.h"
#include "sample/running_covariance.h"
#include "sample/transition.h"

namespace ulisse {

struct NutsOptions {
  int warmup = 1000;
  double target_acceptance = 0.8;
  int max_depth = 10;
  double max_energy_error = 1000;
  bool learns_metric = true;  // else it keeps the one given, and a short warm-up is enough
  // Half of the trajectories after warm-up, by a coin that does not know where the chain is, have
  // steps so much shorter: for places that are narrower than those where warm-up was. Elsewhere
  // they would be long, and are cut to 31 steps.
  double shorter = 1;
};

// The no-U-turn sampler with a dense metric. Warm-up is Stan's: a search for a step size, dual
// averaging, and a metric learnt in windows; it starts from the metric given, which had best be the
// covariance at the mode. After warm-up nothing is learnt any more.
template <DensityTarget Target>
class Nuts {
 public:
  // Keeps a reference to the target. Throws std::invalid_argument when it rejects the start.
  Nuts(const Target& target, const Vector& start, const Matrix& covariance,
       const NutsOptions& options = {})
      : target_(target),
        options_(options),
        position_(at_rest(target, start)),
        metric_(covariance),
        averaging_(options.target_acceptance),
        windows_(options.warmup),
        seen_(start.size()) {}

  Transition step(Rng& rng) {
    if (iteration_ == 0) restart_step_size(rng);
    const bool is_short = options_.shorter < 1 && !warming_up() && rng.uniform() < 0.5;
    const double used = is_short ? options_.shorter * step_size_ : step_size_;
    position_.momentum = metric_.draw_momentum(rng);
    const int depth = is_short ? std::min(5, options_.max_depth) : options_.max_depth;
    NutsTree tree(target_, metric_, {used, depth, options_.max_energy_error}, rng);
    TreeOutcome outcome = tree.draw(position_);
    position_ = std::move(outcome.draw);
    const double energy = position_.energy(metric_);
    if (warming_up()) adapt(outcome.accept_stat, rng);
    ++iteration_;
    return {position_.psi, position_.log_density, outcome.accept_stat, used,
            outcome.depth, outcome.leapfrogs,     outcome.divergent,   energy};
  }

  bool warming_up() const { return iteration_ < options_.warmup; }
  int iteration() const { return iteration_; }
  double step_size() const { return step_size_; }
  const Matrix& covariance() const { return metric_.covariance(); }

  const Vector& place() const { return position_.psi; }
  double log_density() const { return position_.log_density; }  // there

  // To a place by another way; false, and nothing done, where the target rejects it.
  bool move_to(const Vector& place) {
    LogDensity there = target_.log_density_and_gradient(place);
    if (there.rejected()) return false;
    position_ = {place, Vector::Zero(place.size()), std::move(there.gradient), there.value};
    return true;
  }

  // The state; target and options are the caller's to repeat.
  template <class A>
  void archive(A& a) {
    a(iteration_, step_size_, position_, metric_, averaging_, windows_, seen_);
  }

 private:
  void adapt(double accept_stat, Rng& rng) {
    step_size_ = averaging_.next(accept_stat);
    if (options_.learns_metric) learn_metric(rng);
    if (iteration_ + 1 == options_.warmup) step_size_ = averaging_.average();
  }

  void learn_metric(Rng& rng) {
    if (windows_.inside(iteration_)) seen_.add(position_.psi);
    if (!windows_.closes_after(iteration_)) return;
    metric_ = DenseMetric(seen_.regularised_covariance());
    seen_.restart(position_.psi.size());
    windows_.open_next();
    restart_step_size(rng);
  }

  // Doubles or halves the step until the acceptance of a single leapfrog step crosses 0.8. The
  // limit stops the search on a density that is flat or rejects everything but the start.
  void restart_step_size(Rng& rng) {
    constexpr int kLimit = 50;
    const bool larger = accepts_one_step(rng);
    for (int i = 0; i < kLimit; ++i) {
      if (accepts_one_step(rng) != larger) break;
      step_size_ *= larger ? 2 : 0.5;
    }
    averaging_.restart(step_size_);
  }

  bool accepts_one_step(Rng& rng) const {
    PhasePoint z = position_;
    z.momentum = metric_.draw_momentum(rng);
    const double before = z.energy(metric_);
    leapfrog(target_, metric_, step_size_, z);
    return !z.rejected() && before - z.energy(metric_) > std::log(0.8);
  }

  const Target& target_;
  NutsOptions options_;
  int iteration_ = 0;
  double step_size_ = 1;
  PhasePoint position_;
  DenseMetric metric_;
  DualAveraging averaging_;
  AdaptationWindows windows_;
  RunningCovariance seen_;  // since the current window opened
};

}  // namespace ulisse
