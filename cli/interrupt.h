#pragma once

#include <atomic>
#include <string>

#include "base/watch.h"

namespace ulisse::cli {

// Turns Ctrl-C and a polite kill into a flag, as long as it lives. The second of them, of either
// kind, ends the program at once, whatever it is doing.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  static const std::atomic<bool>& raised();
};

// Stops work once the flag is raised.
class InterruptWatch : public Watch {
 public:
  bool wants_stop() const override { return InterruptFlag::raised(); }
  bool listens() const override { return false; }
  bool wants_words() const override { return false; }
  void show(const std::string& /*words*/) override {}
};

}  // namespace ulisse::cli
