#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/watch.h"

namespace ulisse::testing {

// A watch that wants the work to stop when it has been asked so many times, and keeps all words.
class StopAfter : public Watch {
 public:
  explicit StopAfter(long times) : times_(times) {}
  bool wants_stop() const override { return ++asked_ > times_; }
  bool wants_words() const override { return true; }
  void show(const std::string& words) override { shown.push_back(words); }

  long asked() const { return asked_; }
  std::vector<std::string> shown;

 private:
  long times_;
  mutable std::atomic<long> asked_ = 0;
};

// One that never does.
class Listening : public StopAfter {
 public:
  Listening() : StopAfter(1'000'000'000) {}
};

}  // namespace ulisse::testing
