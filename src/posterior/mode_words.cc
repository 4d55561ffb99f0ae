#include "posterior/mode_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option_names.h"

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

// A prior helps where there is something for it to be of.
std::string advice_on_noise(const Model& model) {
  const auto& all = model.layout.parameters();
  const auto lambda = std::find_if(
      all.begin(), all.end(), [](const Parameter& p) { return p.role == Role::noise_variance; });
  if (lambda == all.end() || !lambda->fixed) {
    return "data without noise are like that: a prior that keeps it up may help, such as "
           "lambda=lognormal(-14,0.2)";
  }
  return fmt::format(
      "lambda is fixed at {}, which is too little for rows as near to each other as "
      "these; fix it at more, as by {}",
      *lambda->fixed, option_set("fixed", "lambda=1e-6"));
}

}  // namespace

std::string no_density_words(const Model& model, const std::string& rejection) {
  const bool too_little_noise = rejection.find("positive definite") != std::string::npos;
  return fmt::format("no mode was found: there is no density where the search begins: {}{}",
                     rejection, too_little_noise ? "; " + advice_on_noise(model) : "");
}

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
