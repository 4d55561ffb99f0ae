#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "sample/transition.h"
#include "ulisse/exact.h"

namespace ulisse {

struct CorrectedOptions {
  int warmup = 300;
  // The last iterations of warm-up, in which proposals are corrected, too. Before, the proposer
  // learns its step, and the density is not asked.
  int corrected_warmup = 20;
  int proposer_steps = 5;  // for each proposal
};

// Metropolis steps on a density that takes long to compute, with proposals by a few steps of a
// sampler on a quick surrogate of it, which are reversible with respect to the surrogate: a
// proposal y from x is accepted with probability min(1, w(y) / w(x)), w the density over the
// surrogate (Liu 2001, surrogate transition). The draws are exact, however good the surrogate is;
// that decides how many proposals are accepted. NUTS is reversible: the trajectories between two
// points are the same from either end, and so is the way in which a point of them is chosen.
template <class Proposer, class Surrogate, class Density>
class Corrected {
 public:
  // Keeps references to surrogate and density, which have the proposer's coordinates. The density
  // must not reject the proposer's place.
  Corrected(Proposer proposer, const Surrogate& surrogate, const Density& density,
            const CorrectedOptions& options)
      : proposer_(std::move(proposer)),
        surrogate_(surrogate),
        density_(density),
        options_(options) {}

  Transition step(Rng& rng) {
    const bool corrects = iteration_ >= options_.warmup - options_.corrected_warmup;
    if (corrects && !knows_density_) learn_density();
    const Vector before = proposer_.place();
    Transition made{};
    for (int i = 0; i < options_.proposer_steps; ++i) made = proposer_.step(rng);
    made.accept_stat = 1;
    made.divergent = false;  // on the surrogate, which says nothing of these steps
    if (corrects) correct(before, made, rng);
    ++iteration_;
    made.log_density = corrects ? log_density_ : made.log_density;
    made.log_density = surrogate_.of_psi(proposer_.place(), made.log_density);
    made.energy = -made.log_density;
    made.psi = surrogate_.psi(proposer_.place());
    made.leapfrogs = 1;  // evaluations of the density
    made.tree_depth = 0;
    return made;
  }

  bool warming_up() const { return iteration_ < options_.warmup; }
  double step_size() const { return proposer_.step_size(); }
  // After warm-up.
  double mean_acceptance() const { return acceptance_ / static_cast<double>(std::max(1L, draws_)); }
  double mean_gradients() const { return 0; }

  template <class A>
  void archive(A& a) {
    a(proposer_, iteration_, knows_density_, log_density_, acceptance_, draws_);
  }

 private:
  void learn_density() {
    log_density_ = density_.log_density(proposer_.place()).value;
    knows_density_ = true;
  }

  void correct(const Vector& before, Transition& made, Rng& rng) {
    const double old_weight = log_density_ - surrogate_.log_density(before).value;
    const LogDensity there = density_.log_density(proposer_.place());
    const double weight = there.rejected()
                              ? -INFINITY
                              : there.value - surrogate_.log_density(proposer_.place()).value;
    made.accept_stat = std::exp(std::min(0.0, weight - old_weight));
    if (std::log(rng.uniform()) < weight - old_weight) {
      log_density_ = there.value;
    } else {
      proposer_.move_to(before);
    }
    if (!warming_up()) {
      acceptance_ += made.accept_stat;
      ++draws_;
    }
  }

  Proposer proposer_;
  const Surrogate& surrogate_;
  const Density& density_;
  CorrectedOptions options_;
  int iteration_ = 0;
  bool knows_density_ = false;
  double log_density_ = 0;
  double acceptance_ = 0;
  long draws_ = 0;
};

}  // namespace ulisse
