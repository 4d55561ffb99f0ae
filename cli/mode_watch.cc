#include "mode_watch.h"

#include <fmt/format.h>

#include <cmath>

#include "base/clock.h"
#include "format.h"
#include "posterior/mode_words.h"

namespace ulisse::cli {

namespace {

constexpr Index kManyRows = 5000;

}  // namespace

ModeWatch::ModeWatch(bool quiet, Index parameters) : progress_(quiet), parameters_(parameters) {}

void ModeWatch::operator()(const ModeProgress& now) {
  if (now.evaluations == 0) stage_start_ = seconds_now();
  // Climbs come again after the search for other modes.
  if (now.stage == ModeProgress::Stage::climb && now.evaluations == 1 && !foretold_) foretell(now);
  last_ = now;
  progress_.show(line(now));
}

// The search's own words come with more of their time from operator().
void ModeWatch::show(const std::string& words) {
  const std::string known = to_words(last_) + ", ";
  if (words.starts_with(known)) progress_.show(line(last_) + ", " + words.substr(known.size()));
}

std::string ModeWatch::line(const ModeProgress& now) const {
  const bool hessian = now.stage == ModeProgress::Stage::hessian;
  return fmt::format(
      "{}{}: {}", stage_words(now),
      hessian ? fmt::format(", which takes {}", counted(2 * parameters_, "evaluation")) : "",
      pace(now));
}

// Evaluations, their time, and what they reached.
std::string ModeWatch::pace(const ModeProgress& now) const {
  std::string text = counted(now.evaluations, "evaluation");
  if (now.evaluations == 0) return text;
  text += fmt::format(" of {:.2g} s", (seconds_now() - stage_start_) / now.evaluations);
  if (!std::isfinite(now.log_density)) return text;
  return text + ", best log posterior " + fixed(now.log_density);
}

// Seven kernels on the concrete data took 3 to 5 evaluations a parameter to climb; the Hessian
// takes 2.
void ModeWatch::foretell(const ModeProgress& now) {
  foretold_ = true;
  if (now.rows <= kManyRows) return;
  const double seconds = seconds_now() - stage_start_;
  const double evaluations = 6.0 * static_cast<double>(parameters_);
  progress_.note(fmt::format(
      "an evaluation on {} takes {:.2g} s, and the search some {:.0f} of them: about {}; --subset "
      "takes fewer rows",
      counted(now.rows, "row"), seconds, evaluations, duration(seconds * evaluations)));
}

}  // namespace ulisse::cli
