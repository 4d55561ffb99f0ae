#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sample/mode_swap.h"
#include "sample/transition.h"
#include "ulisse/exact.h"

namespace ulisse {

// An exact sampler with Metropolis moves between two modes, which its own steps may hardly find the
// way between, after its warm-up. Each leaves the density as it is, and so does their sequence.
// Without a move it is the sampler itself. It moves in the density's coordinates, and reports
// parameters.
template <class Local, class Density>
class Swapping {
 public:
  // Keeps a reference to the density, which is the sampler's own.
  Swapping(Local local, std::optional<ModeSwap> swap, const Density& density)
      : local_(std::move(local)), swap_(std::move(swap)), density_(density) {}

  Transition step(Rng& rng) {
    // Not always, for two modes that are alike would take turns.
    constexpr double kSwapProbability = 0.5;
    const bool kept = !local_.warming_up();
    // What warm-up learns is the scale of the first.
    if (swap_ && kept && rng.uniform() < kSwapProbability) try_to_swap(rng);
    // Where it is narrow short steps follow it, and long ones need not.
    const bool narrow =
        swap_ && swap_->narrowness() < 1 && !swap_->is_nearer_to_first(local_.place());
    Transition made = local_.step(rng);
    if (kept && narrow && made.step_size >= local_.step_size()) made.divergent = false;
    const double of_psi = density_.of_psi(made.psi, made.log_density);
    made.energy += made.log_density - of_psi;
    made.log_density = of_psi;
    made.psi = density_.psi(made.psi);
    if (kept) {
      acceptance_ += made.accept_stat;
      gradients_ += made.leapfrogs;
      ++draws_;
    }
    return made;
  }

  bool warming_up() const { return local_.warming_up(); }
  double step_size() const { return local_.step_size(); }

  // After warm-up.
  double mean_acceptance() const { return acceptance_ / static_cast<double>(std::max(1L, draws_)); }
  double mean_gradients() const {
    return static_cast<double>(gradients_) / static_cast<double>(std::max(1L, draws_));
  }
  long tried() const { return tried_; }
  long swapped() const { return swapped_; }

  template <class A>
  void archive(A& a) {
    a(local_, tried_, swapped_, acceptance_, gradients_, draws_);
  }

 private:
  void try_to_swap(Rng& rng) {
    ++tried_;
    const double luck = rng.uniform();
    const auto there = swap_->from(local_.place());
    if (!there) return;
    const LogDensity then = density_.log_density(there->psi);
    if (then.rejected()) return;
    if (luck >= std::exp(then.value - local_.log_density() + there->log_stretch)) return;
    if (local_.move_to(there->psi)) ++swapped_;
  }

  Local local_;
  std::optional<ModeSwap> swap_;
  const Density& density_;
  long tried_ = 0, swapped_ = 0;
  double acceptance_ = 0;
  long gradients_ = 0, draws_ = 0;
};

}  // namespace ulisse
