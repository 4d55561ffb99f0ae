#pragma once

#include <atomic>

#include "ulisse/fit.h"

namespace ulisse::testing {

// Stops a fit when it has so many draws; 0: in warm-up, at its first iteration.
class StopAtDraws : public FitObserver {
 public:
  explicit StopAtDraws(long draws) : draws_(draws) {}
  void progress(const FitProgress& now) override {
    if (now.draws >= draws_) flag_ = true;
  }
  bool wants_stop() const override { return flag_; }

 private:
  long draws_;
  std::atomic<bool> flag_ = false;
};

}  // namespace ulisse::testing
