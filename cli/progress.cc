#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"

namespace ulisse::cli {

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), start_(seconds_now()) {}

Progress::~Progress() { clear(); }

void Progress::clear() const {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

bool Progress::is_due() const {
  const double now = seconds_now(), gap = terminal_ ? 0.1 : 10;
  return !quiet_ && now - start_ >= 2 && now - last_ >= gap;
}

void Progress::show(const std::string& line) {
  if (!is_due()) return;
  last_ = seconds_now();
  clear();
  shown_ = true;
  if (terminal_) {
    fmt::print(stderr, "{}", line);
  } else {
    fmt::print(stderr, "ulisse: after {:.0f} s: {}\n", last_ - start_, line);
  }
  std::fflush(stderr);
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  clear();
  fmt::print(stderr, "ulisse: {}\n", line);
  std::fflush(stderr);
}

}  // namespace ulisse::cli
