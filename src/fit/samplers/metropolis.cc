// The sampler mh.

#include <limits>

#include "fit/sampler_kind.h"
#include "fit/samplers/exact_chains.h"

namespace ulisse {

namespace {

class MetropolisChains : public ExactChains {
 public:
  using ExactChains::ExactChains;
  Algorithm algorithm() const override { return Algorithm::metropolis; }

 protected:
  void add_chain(const FitSettings& s, const Vector& start,
                 const std::optional<SecondMode>& second) override {
    MetropolisOptions options;
    if (s.preset == "paper") options = paper_random_walk();
    options.warmup = static_cast<int>(s.warmup);
    chains_.push_back(std::make_unique<ChainOf<Metropolis<ExactPosterior>>>(
        posterior(), start, mode_.psi, metric_, options, second));
  }
};

void set_defaults(FitSettings& s, Index /*n*/) {
  const bool paper = s.preset == "paper";
  s.warmup = paper ? 10000 : 500;
  s.draws = paper ? 40000 : 1000;
  if (paper) s.chains = 1;
}

// Four chains look at one likelihood in each of 1,500 iterations.
double expected_seconds(const SamplerCosts& costs, Index /*n*/, Index parameters) {
  if (parameters > kFewParameters) return std::numeric_limits<double>::infinity();
  return 4 * 1500 * costs.likelihood;
}

}  // namespace

SamplerKind metropolis_kind() {
  return {.name = "mh",
          .about = "Metropolis-Hastings with proposals from the mode, exact, for few parameters",
          .jumps_between_modes = true,
          .follows_gradients = false,
          .presets = {"default", "paper"},
          .set_defaults = set_defaults,
          .expected_seconds = expected_seconds,
          .make = make_exact_chains<MetropolisChains>};
}

}  // namespace ulisse
