#pragma once

#include <algorithm>

#include "base/watch.h"
#include "posterior/mode_words.h"
#include "ulisse/exact.h"

namespace ulisse {

// Counts evaluations and reports them to the observer and to the watch.
class ModeReporter {
 public:
  explicit ModeReporter(const ModeObserver& observer) : observer_(observer) {}

  void begin(ModeProgress::Stage stage, Index rows) {
    progress_ = {.stage = stage, .rows = rows};
    report();
  }

  void evaluated(double log_density) {
    ++total_;
    ++progress_.evaluations;
    progress_.log_density = std::max(progress_.log_density, log_density);
    report();
  }

  int total() const { return total_; }

 private:
  void report() {
    if (observer_) observer_(progress_);
    step_.say([&] { return to_words(progress_); });
  }

  const ModeObserver& observer_;
  ModeProgress progress_{};
  WatchStep step_;
  int total_ = 0;
};

}  // namespace ulisse
