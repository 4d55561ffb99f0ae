#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "ulisse/anchored_gradient.h"
#include "ulisse/backend.h"
#include "ulisse/dataset.h"
#include "ulisse/precise_solves.h"
#include "ulisse/ulisse_settings.h"

namespace ulisse {

// What the stages of the sampler ulisse's set-up work on. They change nothing in it: what a stage
// finds is what it returns.
struct SetupProblem {
  // Up to here the exact mode costs less than a minute.
  static constexpr Index kExactModeRows = 3000;
  // Beyond it one exact gradient takes more than some minutes.
  static constexpr Index kExactTraceRows = 25000;
  // Below it products are not what takes the time, and K is kept.
  static constexpr Index kFloatRows = 4000;

  const UlisseSettings& settings;
  std::uint64_t seed;
  const Model& model;
  const Dataset& data;  // scaled
  const Covariance& covariance;
  const Covariance* in_float = nullptr;  // the same; null where it is not to be used
  std::size_t memory = 0;                // that may be used
  // Called with what is being done; may throw to stop it.
  std::function<void(const std::string&)> report = [](const std::string&) {};
  // Called at a mode without curvature; may throw where no sampler can go on from it.
  std::function<void(const Vector& psi)> without_curvature = [](const Vector&) {};

  Index rows() const { return data.y.size(); }
  Index parameters() const { return model.parameter_count(); }
  bool exact_mode() const { return rows() <= kExactModeRows; }
  // The largest that is tried at the anchor.
  PreconditionerOptions preconditioner() const {
    return {.rank = std::min<Index>(settings.rank, rank_that_fits()),
            .neighbours = settings.neighbours,
            .seed = seed};
  }
  // L, and L and Q of the two that are compared, take half of the memory at most.
  Index rank_that_fits() const {
    constexpr Index kBytesOfARow = 4 * sizeof(double);
    if (memory == 0) return settings.rank;
    return std::max<Index>(1, static_cast<Index>(memory / 2) / (kBytesOfARow * rows()));
  }
  // On the way to the mode one is made more than once.
  PreconditionerOptions search_preconditioner() const {
    PreconditionerOptions options = preconditioner();
    options.rank = std::min<Index>(options.rank, 500);
    return options;
  }

  // Solves at psi whose errors are not averaged out.
  CgOptions cg_at(const ConstVector& psi) const {
    return precise_solves(data.y, model.noise_diagonal(psi, data.x).minCoeff());
  }

  // The backend is known once there was a K.
  bool float_may_pay() const {
    const std::string backend = covariance.backend();
    return in_float != nullptr && backend != kAutomaticBackend &&
           backend_named(backend).can.lower_precision == in_float->backend();
  }

  WorkingCovariance working(bool by_float) const {
    return {covariance, by_float ? in_float : nullptr};
  }

  // With every probe of the bank and solves that are not cut.
  AnchoredGradient precise_gradient(const Anchor& anchor, bool by_float) const {
    return {
        model, working(by_float), anchor, {.probes = 1, .cg = cg_at(anchor.psi), .careful = true}};
  }
};

}  // namespace ulisse
