#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sample/trajectory.h"
#include "ulisse/random.h"

namespace ulisse {

struct TreeOptions {
  double step_size;
  int max_depth = 10;
  double max_energy_error = 1000;  // beyond it a trajectory has diverged
};

struct TreeOutcome {
  PhasePoint draw;
  double accept_stat;  // mean over the trajectory of a Metropolis step's acceptance
  int depth;
  int leapfrogs;
  bool divergent;
};

// One draw of the no-U-turn sampler in its multinomial form (Hoffman and Gelman 2014; Betancourt
// 2017, appendix A.3; Stan): a trajectory is doubled forwards or backwards in time until it turns
// back, and a point is drawn from it by weight. Leaves exp(-energy) invariant at any step size.
template <DensityTarget Target>
class NutsTree {
 public:
  NutsTree(const Target& target, const DenseMetric& metric, const TreeOptions& options, Rng& rng)
      : target_(target), metric_(metric), options_(options), rng_(rng) {}

  TreeOutcome draw(const PhasePoint& start) {
    start_energy_ = start.energy(metric_);
    PhasePoint front = start, back = start;
    Trajectory whole = single(start, 0);
    int depth = 0;
    for (bool grows = true; grows && depth < options_.max_depth;) {
      const bool forwards = rng_.uniform() > 0.5;
      auto added = forwards ? grow(front, depth, 1) : grow(back, depth, -1);
      if (!added) break;
      ++depth;
      if (!forwards) whole = reversed(std::move(whole));
      grows = !joined_turns(whole, *added);
      whole = joined(std::move(whole), std::move(*added), Choice::biased);
      if (!forwards) whole = reversed(std::move(whole));
    }
    return {std::move(whole.choice), acceptance_sum_ / leapfrogs_, depth, leapfrogs_, divergent_};
  }

 private:
  // Within a stretch each point is drawn by its weight. From the whole, the newer half is
  // preferred: it is farther away, and the law stays invariant (biased progressive sampling).
  enum class Choice { by_weight, biased };

  // 2^depth steps on from `end`, which moves along. Nothing when they diverge, or when some
  // stretch of them turns back: the draw then comes from what was there before, as it would if the
  // trajectory had started at any other of its points.
  std::optional<Trajectory> grow(PhasePoint& end, int depth, double direction) {
    if (depth == 0) return leaf(end, direction);
    auto first = grow(end, depth - 1, direction);
    if (!first) return std::nullopt;
    auto second = grow(end, depth - 1, direction);
    if (!second || joined_turns(*first, *second)) return std::nullopt;
    return joined(std::move(*first), std::move(*second), Choice::by_weight);
  }

  std::optional<Trajectory> leaf(PhasePoint& end, double direction) {
    leapfrog(target_, metric_, direction * options_.step_size, end);
    ++leapfrogs_;
    const double log_weight = end.rejected() ? -std::numeric_limits<double>::infinity()
                                             : start_energy_ - end.energy(metric_);
    // Not a number counts as divergent too.
    if (!(log_weight >= -options_.max_energy_error)) {
      divergent_ = true;
      return std::nullopt;
    }
    acceptance_sum_ += std::min(1.0, std::exp(log_weight));
    return single(end, log_weight);
  }

  Trajectory single(const PhasePoint& z, double log_weight) const {
    const TrajectoryEnd end{z.momentum, metric_.velocity(z.momentum)};
    return {end, end, z.momentum, log_weight, z};
  }

  Trajectory joined(Trajectory a, Trajectory b, Choice rule) {
    const double total = log_sum_exp(a.log_weight, b.log_weight);
    const double against = rule == Choice::biased ? a.log_weight : total;
    const bool second = rng_.uniform() < std::exp(b.log_weight - against);
    return {std::move(a.first), std::move(b.last), a.momentum_sum + b.momentum_sum, total,
            std::move(second ? b.choice : a.choice)};
  }

  const Target& target_;
  const DenseMetric& metric_;
  TreeOptions options_;
  Rng& rng_;
  double start_energy_ = 0, acceptance_sum_ = 0;
  int leapfrogs_ = 0;
  bool divergent_ = false;
};

}  // namespace ulisse
