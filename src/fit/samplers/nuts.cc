// The sampler nuts.

#include "sample/nuts.h"

#include <limits>

#include "fit/sampler_kind.h"
#include "fit/samplers/exact_chains.h"

namespace ulisse {

namespace {

class NutsChains : public ExactChains {
 public:
  using ExactChains::ExactChains;
  Algorithm algorithm() const override { return Algorithm::nuts; }

 protected:
  void add_chain(const FitSettings& s, const Vector& start,
                 const std::optional<SecondMode>& /*second*/) override {
    chains_.push_back(std::make_unique<ChainOf<Nuts<ExactPosterior>>>(
        posterior(), start, metric_, NutsOptions{.warmup = static_cast<int>(s.warmup)}));
  }
};

void set_defaults(FitSettings& s, Index /*n*/) {
  s.warmup = 300;
  s.draws = 500;
}

// Four chains take some seven gradients in each of 800 iterations.
double expected_seconds(const SamplerCosts& costs, Index /*n*/, Index parameters) {
  if (parameters <= kFewParameters) return std::numeric_limits<double>::infinity();
  return 4 * 800 * 7 * costs.gradient;
}

}  // namespace

SamplerKind nuts_kind() {
  return {.name = "nuts",
          .about = "Hamiltonian Monte Carlo as Stan has it, exact",
          .set_defaults = set_defaults,
          .expected_seconds = expected_seconds,
          .make = make_exact_chains<NutsChains>};
}

}  // namespace ulisse
