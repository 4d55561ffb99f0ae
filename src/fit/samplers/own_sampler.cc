// Samplers that programs bring along.

#include <fmt/format.h>

#include <stdexcept>

#include "fit/sampler_kind.h"
#include "fit/samplers/exact_chains.h"
#include "ulisse/sampler.h"

namespace ulisse {

namespace {

// A program's chain as all others are.
class OwnChain {
 public:
  OwnChain(std::unique_ptr<SamplerChain> chain, long warmup)
      : chain_(std::move(chain)), warmup_(warmup) {}

  Transition step(Rng& rng) {
    SamplerStep step = chain_->step(rng, warming_up());
    ++iterations_;
    step_size_ = step.step_size;
    return {.psi = std::move(step.psi),
            .log_density = step.log_density,
            .accept_stat = step.acceptance,
            .step_size = step.step_size,
            .leapfrogs = step.gradients,
            .divergent = step.divergent,
            .energy = -step.log_density};
  }

  bool warming_up() const { return iterations_ < warmup_; }
  double step_size() const { return step_size_; }

  void archive(ArchiveWriter& writer) { writer(iterations_, step_size_, chain_->state()); }
  void archive(ArchiveReader& reader) {
    Vector state;
    reader(iterations_, step_size_, state);
    chain_->set_state(state);
  }

 private:
  std::unique_ptr<SamplerChain> chain_;
  long warmup_, iterations_ = 0;
  double step_size_ = 1;
};

class OwnChains : public ExactChains {
 public:
  OwnChains(const Model& model, const Dataset& data, const OwnSampler& sampler)
      : ExactChains(model, data), sampler_(sampler) {}

  Algorithm algorithm() const override { return Algorithm::own; }

 protected:
  void add_chain(const FitSettings& s, const Vector& start,
                 const std::optional<SecondMode>& /*second*/) override {
    options_ = s.own;
    chains_.push_back(std::make_unique<ChainOf<OwnChain>>(sampler_.make({.posterior = posterior(),
                                                                         .mode = mode_,
                                                                         .covariance = metric_,
                                                                         .psi = start,
                                                                         .warmup = s.warmup,
                                                                         .options = options_}),
                                                          s.warmup));
  }

 private:
  OwnSampler sampler_;
  OptionValues options_;
};

}  // namespace

void register_sampler(const OwnSampler& sampler) {
  if (!sampler.make) {
    throw std::invalid_argument(fmt::format("nothing makes the chains of '{}'", sampler.name));
  }
  register_sampler(SamplerKind{
      .name = sampler.name,
      .about = sampler.about,
      .options = sampler.options,
      .set_defaults =
          [sampler](FitSettings& s, Index /*n*/) {
            s.warmup = sampler.warmup;
            s.draws = sampler.draws;
          },
      .make = [sampler](const FitSettings& settings, const Model& model, const Dataset& data,
                        const ChainsContext& context) -> std::unique_ptr<FitChains> {
        context.watch("looking for the mode");
        auto chains = std::make_unique<OwnChains>(model, data, sampler);
        chains->begin(settings, data);
        return chains;
      }});
}

}  // namespace ulisse
