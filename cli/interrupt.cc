#include "interrupt.h"

#include <array>
#include <csignal>

namespace ulisse::cli {

namespace {

std::atomic<bool> flag = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler could not use it

constexpr std::array kSignals = {SIGINT, SIGTERM};

void set_handler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (const int number : kSignals) sigaction(number, &action, nullptr);
}

// The second signal, of either kind, finds what the system does by default, and so does one while
// this runs: nothing that the program is doing, or fails to do, can keep it from ending.
void raise_flag(int /*number*/) {
  set_handler(SIG_DFL);
  flag = true;
}

}  // namespace

InterruptFlag::InterruptFlag() { set_handler(raise_flag); }
InterruptFlag::~InterruptFlag() { set_handler(SIG_DFL); }

const std::atomic<bool>& InterruptFlag::raised() { return flag; }

}  // namespace ulisse::cli
