#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ulisse/anchored_gradient.h"
#include "ulisse/dataset.h"
#include "ulisse/exact.h"
#include "ulisse/ulisse_settings.h"

namespace ulisse {

// Told what is being done; may throw to stop it.
using SetupWatch = std::function<void(const std::string&)>;

// What the steps of the sampler ulisse's set-up share.
struct SetupWork {
  // Up to here the exact mode costs less than a minute.
  static constexpr Index kExactModeRows = 3000;
  // Beyond it one exact gradient takes more than some minutes.
  static constexpr Index kExactTraceRows = 25000;
  // Below it products are not what takes the time, and K is kept.
  static constexpr Index kFloatRows = 4000;

  const UlisseSettings& settings;
  std::uint64_t seed;
  const Model& model;
  const Dataset& data;
  const Covariance& covariance;
  std::size_t memory;
  const SetupWatch& watch;
  CgOptions cg{};  // of the anchor's solves, once a mode is known
  bool may_use_float = false;
  std::unique_ptr<const Covariance> in_float{};  // once a K was made; null where there is none
  const Covariance* fast = nullptr;  // what the set-up's own solves use, found on the way

  Index rows() const { return data.y.size(); }
  bool exact_mode() const { return rows() <= kExactModeRows; }

  WorkingCovariance working() const { return {covariance, fast}; }

  // With every probe of the bank and solves that are not cut.
  AnchoredGradient tight_gradient(const Anchor& anchor) const {
    return {model, working(), anchor, {.probes = 1, .cg = cg, .careful = true}};
  }
};

}  // namespace ulisse
