#pragma once

#include <optional>

#include "fit/chains.h"
#include "sample/metropolis.h"

namespace ulisse {

// Chains of samplers on the exact density, around its mode.
class ExactChains : public FitChains {
 public:
  ExactChains(const Model& model, const Dataset& data) : posterior_(model, data.x, data.y) {}

  // Finds the mode, and makes the chains.
  void begin(const FitSettings& settings, const Dataset& data);

  const ExactPosterior* exact_posterior() const override { return &posterior_; }

 protected:
  virtual void add_chain(const FitSettings& settings, const Vector& start,
                         const std::optional<SecondMode>& second) = 0;

  const ExactPosterior& posterior() const { return posterior_; }

 private:
  std::optional<SecondMode> find_second_mode() const;

  ExactPosterior posterior_;
};

// As SamplerKind::make has it.
template <class Chains>
std::unique_ptr<FitChains> make_exact_chains(const FitSettings& settings, const Model& model,
                                             const Dataset& data, const ChainsContext& context) {
  context.watch("looking for the mode");
  auto chains = std::make_unique<Chains>(model, data);
  chains->begin(settings, data);
  return chains;
}

}  // namespace ulisse
