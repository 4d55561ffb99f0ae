#pragma once

#include <concepts>

#include "base/archive.h"
#include "ulisse/random.h"
#include "ulisse/types.h"

namespace ulisse {

// What one iteration of a sampler did; the columns of CmdStan's files.
struct Transition {
  Vector psi;          // where the chain is now
  double log_density;  // there
  double accept_stat;  // acceptance probability, averaged over what was tried
  double step_size;    // that was used: leapfrog's, or the scale of a random walk
  int tree_depth = 0;  // doublings of the trajectory
  int leapfrogs = 0;   // gradients
  bool divergent = false;
  double energy;  // potential and kinetic
  // With Langevin's steps: the part of the place that is noise of this step's, sqrt(eps) C R, in
  // the coordinates that the chain moves in. Half of it is in the step, half in the next.
  Vector injected = {};
};

// A chain: it owns its position and everything it has learnt. The caller passes a fresh Rng for
// each iteration, so that a chain restored from its archive goes on bit for bit.
template <class S>
concept Sampler = requires(S& sampler, const S& constant, Rng& rng, ArchiveWriter& writer,
                           ArchiveReader& reader) {
  { sampler.step(rng) } -> std::same_as<Transition>;
  { constant.warming_up() } -> std::same_as<bool>;
  { constant.step_size() } -> std::same_as<double>;
  sampler.archive(writer);
  sampler.archive(reader);
};

}  // namespace ulisse
