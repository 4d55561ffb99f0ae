#pragma once

#include <memory>
#include <vector>

#include "fit/settings.h"
#include "sample/chain.h"
#include "sample/run_chains.h"
#include "sample/sgld.h"
#include "ulisse/dataset.h"
#include "ulisse/exact.h"

namespace ulisse {

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
  // Null for samplers other than sgld.
  virtual const SgldRecord* sgld_record(int /*chain*/) const { return nullptr; }

 protected:
  std::vector<std::unique_ptr<Chain>> chains_;
  RunPlan plan_;
  Mode mode_;
  Matrix metric_;
};

// data is scaled. Finds the mode, which takes a while; throws InputError.
std::unique_ptr<FitChains> make_chains(const FitSettings& settings, const Model& model,
                                       const Dataset& data, std::size_t memory);

}  // namespace ulisse
