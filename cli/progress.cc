#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "clock.h"

namespace ulisse::cli {

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), start_(seconds_now()) {}

Progress::~Progress() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void Progress::show(const std::string& line) {
  const double now = seconds_now(), gap = terminal_ ? 0.1 : 10;
  if (quiet_ || now - start_ < 2 || now - last_ < gap) return;
  last_ = now;
  shown_ = true;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace ulisse::cli
