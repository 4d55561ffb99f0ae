#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fit/settings.h"
#include "sample/chain.h"
#include "sample/run_chains.h"
#include "store/chain_file.h"
#include "ulisse/dataset.h"
#include "ulisse/exact.h"
#include "ulisse/model.h"

namespace ulisse {

struct ChainRecord;
struct FitRecord;

// Chains that are ready to run, with all that they refer to. The same settings and data give the
// same chains.
class FitChains {
 public:
  virtual ~FitChains() = default;
  std::vector<std::unique_ptr<Chain>>& chains() { return chains_; }
  const std::vector<std::unique_ptr<Chain>>& chains() const { return chains_; }
  const RunPlan& plan() const { return plan_; }

  // Where chains started: a mode, and the metric M or the covariance at the mode.
  const Mode& mode() const { return mode_; }
  const Matrix& metric() const { return metric_; }

  double step_size(int chain) const {
    return chains_[static_cast<std::size_t>(chain)]->step_size();
  }
  // What moves the chains, as a reader of their files is told.
  virtual Algorithm algorithm() const = 0;
  // Of chains on the exact density: that, whose factors others may use. Else null.
  virtual const ExactPosterior* exact_posterior() const { return nullptr; }
  // Psi as it may be drawn, one a column, as far as is known before sampling: the same for the same
  // settings and data.
  virtual Matrix likely_psi(Index count) const;
  // What a sampler has to say of itself for fit.json: for the whole fit, and for each chain.
  virtual void describe(FitRecord& /*fit*/) const {}
  virtual void describe_chain(int /*chain*/, ChainRecord& /*record*/) const {}
  // What a chain on stochastic gradients is doing, for who waits: ", 5.1 products an iteration".
  // Empty for samplers that accept and reject, whose draws say it.
  virtual std::string news(int /*chain*/) const { return ""; }

 protected:
  std::vector<std::unique_ptr<Chain>> chains_;
  RunPlan plan_;
  Mode mode_;
  Matrix metric_;
};

struct ChainsContext {
  std::size_t memory = 0;  // that may be used; 0: half of the machine's
  std::string setup_file;  // where a sampler may keep what it found out before sampling
  std::string fit;         // whose set-up that is, by fit_identity
  std::string backend;     // settings.backend, or what it has chosen when the fit began
  std::function<void(const std::string&)> watch;  // told what is being done; may throw to end it
};

// Below this a product is too small to keep several threads busy.
constexpr Index kSideBySideRows = 4000;

// data is scaled. Finds the mode, which takes a while; throws InputError.
std::unique_ptr<FitChains> make_chains(const FitSettings& settings, const Model& model,
                                       const Dataset& data, const ChainsContext& context);

// Throws InputError where data look free of noise: then the likelihood rises until K is singular in
// floating point, and there is no mode.
void refuse_without_noise(const Model& model, const Vector& mode);

// The covariance at a mode. Throws InputError where there is none.
Matrix usable_covariance(const Model& model, const Mode& mode);

// N(mode, spread^2 covariance) by the chain's own stream; closer to the mode when a point is of no
// use.
Vector start_point(const Vector& mode, const Matrix& covariance, double spread, std::uint64_t seed,
                   int chain, const std::function<bool(const Vector&)>& is_usable);

std::unique_ptr<FitChains> make_ulisse_chains(const FitSettings& settings, const Model& model,
                                              const Dataset& data, const ChainsContext& context);

}  // namespace ulisse
