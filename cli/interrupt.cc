#include "interrupt.h"

#include <csignal>

namespace ulisse::cli {

namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler could not use it

void raise_flag(int number) {
  if (flag.exchange(true)) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
}

}  // namespace

InterruptFlag::InterruptFlag() {
  std::signal(SIGINT, raise_flag);
  std::signal(SIGTERM, raise_flag);
}

InterruptFlag::~InterruptFlag() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptFlag::raised() { return flag; }

}  // namespace ulisse::cli
