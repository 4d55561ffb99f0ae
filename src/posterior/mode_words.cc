#include "posterior/mode_words.h"

#include <fmt/format.h>

#include <cmath>

namespace ulisse {

namespace {

const char* verb(ModeProgress::Stage stage) {
  switch (stage) {
    case ModeProgress::Stage::starting_points:
      return "starting points";
    case ModeProgress::Stage::climb:
      return "climbing";
    case ModeProgress::Stage::other_modes:
      return "looking for other modes";
    case ModeProgress::Stage::hessian:
      return "Hessian";
  }
  return "";
}

}  // namespace

std::string stage_words(const ModeProgress& now) {
  return fmt::format("{} on {} row{}", verb(now.stage), now.rows, now.rows == 1 ? "" : "s");
}

std::string to_words(const ModeProgress& now) {
  std::string text = stage_words(now);
  if (now.evaluations == 0) return text;
  text += fmt::format(", {} evaluation{}", now.evaluations, now.evaluations == 1 ? "" : "s");
  if (!std::isfinite(now.log_density)) return text;
  return text + fmt::format(", best log posterior {:.1f}", now.log_density);
}

}  // namespace ulisse
