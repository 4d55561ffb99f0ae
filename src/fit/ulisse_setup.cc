#include "fit/ulisse_setup.h"

#include <memory>

#include "base/memory.h"
#include "fit/gradient_choice.h"
#include "fit/posterior_shape.h"
#include "fit/samplers/ulisse_options.h"
#include "ulisse/tight_solves.h"
#include "ulisse/unbiased.h"

namespace ulisse {

// A product with a K that is kept is hardly faster than one without where K is large.
std::size_t memory_for_products(const FitSettings& settings, Index n, std::size_t memory) {
  return settings.backend == kAutomaticBackend && n >= SetupWork::kFloatRows ? 1 : memory;
}

AnchoredGradient UlisseSetup::gradient(const UlisseSettings& settings, const Model& model,
                                       const WorkingCovariance& covariance) const {
  return {
      model,
      covariance,
      anchor,
      {.probes = static_cast<int>(probes),
       .fresh = fresh_probes,
       .fast_at_anchor = setup_in_float,
       .cg_at_anchor = tight_solves(anchor.right_sides.col(0), model.noise_variance(anchor.psi)),
       .q = q,
       .rule = parse_truncation(settings.truncation)}};
}

UlisseSetup prepare_ulisse(const FitSettings& settings, const Model& model, const Dataset& data,
                           const Covariance& covariance, std::size_t memory,
                           const SetupWatch& watch) {
  const bool free_to_choose =
      settings.backend == kAutomaticBackend && data.y.size() >= SetupWork::kFloatRows;
  const UlisseSettings own = settings_from(ulisse_settings(), settings.own);
  SetupWork work{.settings = own,
                 .seed = settings.seed,
                 .model = model,
                 .data = data,
                 .covariance = covariance,
                 .memory = memory > 0 ? memory : machine_memory_bytes() / 2,
                 .watch = watch,
                 .may_use_float = free_to_choose};
  UlisseSetup setup;
  find_shape(work, setup);
  if (setup.exact()) {
    watch(setup.why_exact + ": going on with exact steps");
  } else {
    choose_gradient(work, setup);
  }
  return setup;
}

void restore_preconditioner(const FitSettings& settings, const Covariance& covariance,
                            UlisseSetup& setup) {
  const auto k = covariance.at(setup.anchor.psi);
  const UlisseSettings own = settings_from(ulisse_settings(), settings.own);
  const Matrix l = pivoted_cholesky(*k, {.rank = own.rank, .seed = settings.seed});
  setup.anchor.preconditioner =
      std::make_shared<LowRankPreconditioner>(l.leftCols(setup.rank), k->noise());
}

}  // namespace ulisse
