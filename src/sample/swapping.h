#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "sample/mode_swap.h"
#include "sample/transition.h"
#include "ulisse/exact.h"

namespace ulisse {

// A sampler that stays around one mode, with Metropolis moves between two after its warm-up. Its
// own steps, which are scaled to the nearer one, cannot cross what lies between; each move leaves
// the density as it is, so that their sequence does as far as the steps do. Without a move it is
// the sampler itself.
template <class Local, class Density>
class Swapping {
 public:
  // `density` has log_density(place), in the coordinates of the sampler; it must outlive this.
  Swapping(Local local, std::optional<ModeSwap> swap, const Density* density)
      : local_(std::move(local)), swap_(std::move(swap)), density_(density) {}

  Transition step(Rng& rng) {
    // A move takes two densities; with half as many moves chains mix nearly as well.
    constexpr double kShare = 0.5;
    if (swap_ && !local_.warming_up()) {
      if (rng.uniform() < kShare) try_to_swap(rng);
      local_.scale_to_other(!swap_->is_nearer_to_first(local_.place()));
    }
    return local_.step(rng);
  }

  bool warming_up() const { return local_.warming_up(); }
  double step_size() const { return local_.step_size(); }
  const Local& local() const { return local_; }
  long tried() const { return tried_; }
  long swapped() const { return swapped_; }

  template <class A>
  void archive(A& a) {
    a(local_, tried_, swapped_);
  }

 private:
  void try_to_swap(Rng& rng) {
    ++tried_;
    const double luck = rng.uniform();
    const auto there = swap_->from(local_.place());
    if (!there) return;
    const LogDensity now = density_->log_density(local_.place());
    const LogDensity then = density_->log_density(there->psi);
    if (now.rejected() || then.rejected()) return;
    if (luck >= std::exp(then.value - now.value + there->log_stretch)) return;
    local_.scale_to_other(!swap_->is_nearer_to_first(there->psi));
    local_.move_to(there->psi, there->mode, there->factor, rng);
    ++swapped_;
  }

  Local local_;
  std::optional<ModeSwap> swap_;
  const Density* density_;
  long tried_ = 0, swapped_ = 0;
};

}  // namespace ulisse
