#pragma once

#include <string>
#include <vector>

#include "fit/run_fit.h"
#include "progress.h"

namespace ulisse::cli {

// A running fit: a line for all chains, with phase, speed, time left, R-hat and ESS so far; and in
// a terminal a line for each of them.
class FitProgress : public FitListener {
 public:
  explicit FitProgress(bool quiet) : progress_(quiet) {}
  void stage(const std::string& words) override { progress_.show(words); }
  void progress(const RunState& state, const std::vector<Matrix>& draws, const FitChains& chains,
                const std::vector<ChainNews>& news) override;

 private:
  std::string line(const RunState& state, const FitChains& chains) const;
  void look_at(const std::vector<Matrix>& draws, long all);

  Progress progress_;
  double next_look_ = 0;
  std::string verdict_;  // R-hat and ESS when last computed
};

}  // namespace ulisse::cli
