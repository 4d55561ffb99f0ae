#include "mode_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "format.h"
#include "posterior/mode_words.h"
#include "posterior/one_sided_hessian.h"

namespace ulisse::cli {

namespace {

constexpr Index kManyRows = 5000;

}  // namespace

ModeWatch::ModeWatch(bool quiet, Index parameters) : progress_(quiet), parameters_(parameters) {}

void ModeWatch::operator()(const ModeProgress& now) {
  if (now.evaluations == 0) stage_start_ = seconds_now();
  // Climbs are on more and more rows, and come again after the search for other modes.
  const bool is_larger = now.rows > std::max(foretold_rows_, kManyRows);
  if (now.stage == ModeProgress::Stage::climb && now.evaluations == 1 && is_larger) foretell(now);
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
      hessian ? fmt::format(", which takes {}",
                            counted(hessian_evaluations(now.rows, parameters_), "evaluation"))
              : "",
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

// From the mode of fewer rows a table with 16 parameters took 12 evaluations to climb, and 16 for
// the Hessian.
void ModeWatch::foretell(const ModeProgress& now) {
  foretold_rows_ = now.rows;
  const double seconds = seconds_now() - stage_start_;
  const double evaluations = 3.0 * static_cast<double>(parameters_);
  progress_.note(fmt::format(
      "an evaluation on {} takes {:.2g} s, and the search some {:.0f} of them: about {}; --subset "
      "takes fewer rows",
      counted(now.rows, "row"), seconds, evaluations, duration(seconds * evaluations)));
}

}  // namespace ulisse::cli
