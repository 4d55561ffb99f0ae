#pragma once

#include <string>
#include <vector>

#include "interrupt.h"
#include "progress.h"
#include "ulisse/fit.h"

namespace ulisse::cli {

// A running fit: a line for all chains, with phase, speed, time left, R-hat and ESS so far; and in
// a terminal a line for each of them. A signal ends it.
class FitDisplay : public FitObserver {
 public:
  // Who reads one JSON object does not read why a sampler was chosen.
  FitDisplay(bool quiet, bool json) : progress_(quiet), says_choice_(!quiet && !json) {}
  void sampler_chosen(const std::string& name, const Reason& reason) override;
  void stage(const std::string& words) override { progress_.show(words); }
  void progress(const FitProgress& now) override;
  bool wants_stop() const override { return InterruptFlag::raised(); }

 private:
  std::string line(const FitProgress& now) const;
  void look_at(const std::vector<Matrix>& draws, long all, long goal);

  Progress progress_;
  bool says_choice_;
  double next_look_ = 0;
  std::string verdict_;  // R-hat and ESS when last computed
};

}  // namespace ulisse::cli
