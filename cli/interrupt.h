#pragma once

#include <atomic>

namespace ulisse::cli {

// Turns Ctrl-C and a polite kill into a flag, as long as it lives. A second Ctrl-C ends the program
// at once.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  static const std::atomic<bool>& raised();
};

}  // namespace ulisse::cli
