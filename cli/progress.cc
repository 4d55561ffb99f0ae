#include "progress.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/printable.h"

namespace ulisse::cli {

namespace {

struct Size {
  std::size_t rows, columns;
};

// Asked each time, since the window may change. Some terminals do not know.
Size terminal_size() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {24, 80};
  return {std::max<std::size_t>(2, size.ws_row), size.ws_col};
}

// What fits: a line that wrapped would not be overwritten as a whole. Two columns stay free for the
// ^C that terminals show.
std::vector<std::string> fitting(const std::string& line, const std::vector<std::string>& details) {
  const Size size = terminal_size();
  std::vector<std::string> lines = {printable(line)};
  for (const std::string& detail : details) lines.push_back(printable(detail));
  lines.resize(std::min(lines.size(), size.rows - 1));
  const std::size_t width = std::max<std::size_t>(size.columns, 4) - 3;
  for (std::string& text : lines) text.resize(std::min(text.size(), width));
  return lines;
}

}  // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0), start_(seconds_now()) {}

Progress::~Progress() {
  fmt::print(stderr, "{}", clearing());
  std::fflush(stderr);
}

// Back to the first of the lines shown, and everything from there on away.
std::string Progress::clearing() {
  std::string text;
  if (shown_ > 0) text += '\r';
  if (shown_ > 1) text += fmt::format("\033[{}A", shown_ - 1);
  if (shown_ > 0) text += "\033[J";
  shown_ = 0;
  return text;
}

bool Progress::is_due() const {
  const double now = seconds_now(), gap = terminal_ ? 0.1 : 10;
  return !quiet_ && now - start_ >= 2 && now - last_ >= gap;
}

void Progress::show(const std::string& line, const std::vector<std::string>& details) {
  if (!is_due()) return;
  last_ = seconds_now();
  if (terminal_) {
    const std::vector<std::string> lines = fitting(line, details);
    // In one piece, so that nobody sees it half drawn.
    fmt::print(stderr, "{}{}", clearing(), fmt::join(lines, "\n"));
    shown_ = static_cast<int>(lines.size());
  } else {
    fmt::print(stderr, "ulisse: after {:.0f} s: {}\n", last_ - start_, printable(line));
  }
  std::fflush(stderr);
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  fmt::print(stderr, "{}ulisse: {}\n", clearing(), printable(line));
  std::fflush(stderr);
}

}  // namespace ulisse::cli
