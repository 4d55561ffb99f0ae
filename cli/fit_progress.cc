#include "fit_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "format.h"
#include "ulisse/diagnose.h"

namespace ulisse::cli {

namespace {

// What the draws of the last round say of a sampler that accepts and rejects.
std::string about_draws(const ChainProgress& news) {
  if (std::isnan(news.acceptance)) return "";
  std::string text =
      fmt::format(", acceptance {:.2f}, log density {:.1f}", news.acceptance, news.log_density);
  if (news.gradients > 0) text += fmt::format(", {:.1f} gradients an iteration", news.gradients);
  if (news.divergent > 0) text += fmt::format(", {} divergent", news.divergent);
  return text;
}

// "  chain 2: sampling, step 0.41, acceptance 0.83, ..."
std::string chain_line(const FitProgress& now, std::size_t c) {
  const ChainProgress& chain = now.chains[c];
  const char* phase = chain.warming_up ? "warm-up"
                      : now.warming_up ? "waits for others"
                                       : "sampling";
  return fmt::format("  chain {}: {}, step {:.2g}{}", c + 1, phase, chain.step_size,
                     chain.details.empty() ? about_draws(chain) : chain.details);
}

}  // namespace

void FitDisplay::sampler_chosen(const std::string& name, const Reason& reason) {
  if (says_choice_) fmt::print(stderr, "sampler {}: {}\n", name, to_text(reason));
}

void FitDisplay::progress(const FitProgress& now) {
  if (!progress_.is_due()) return;
  look_at(now.theta, now.draws, now.ess_goal);
  std::vector<std::string> details;
  for (std::size_t c = 0; c < now.chains.size(); ++c) details.push_back(chain_line(now, c));
  progress_.show(line(now), details);
}

// At most every two seconds, and so seldom that it takes less than a hundredth of the time.
void FitDisplay::look_at(const std::vector<Matrix>& draws, long all, long goal) {
  const double start = seconds_now();
  if (start < next_look_ || draws.empty() || draws[0].rows() < 20) return;
  double worst = 0, least = INFINITY;
  for (const Matrix& d : draws) {
    worst = std::max(worst, diagnose::rhat(d));
    least = std::min(least, diagnose::ess_bulk(d));
    if (goal > 0) least = std::min(least, diagnose::ess_tail(d));
  }
  // Of some of the draws there is no telling how much more all of them are worth.
  const char* some = draws[0].rows() < all ? "over " : "";
  verdict_ = fmt::format(", R-hat {:.3f}, ESS {}{:.0f}", worst, some, least);
  if (goal > 0) verdict_ += fmt::format(" of {}", goal);
  const double now = seconds_now();
  next_look_ = now + std::max(2.0, 100 * (now - start));
}

std::string FitDisplay::line(const FitProgress& now) const {
  const auto done = static_cast<double>(now.warming_up ? now.iteration : now.draws);
  const double speed = now.seconds > 0 ? done / now.seconds : 0;
  std::string text;
  if (now.warming_up) {
    text = fmt::format("warm-up, iteration {}", now.iteration);
  } else {
    text = fmt::format("sampling, draw {} of {}", now.draws, now.draws + now.draws_left);
    if (now.ess_goal > 0) text += " or more";
    if (speed > 0 && now.ess_goal == 0)
      text += ", " + duration(static_cast<double>(now.draws_left) / speed) + " left";
  }
  text += fmt::format(", {:.3g} iterations/s a chain{}", speed, verdict_);
  // Elsewhere than in a terminal there is no line for each chain, and the first stands for all.
  const ChainProgress& first = now.chains.front();
  if (first.details.empty() || progress_.in_terminal()) return text;
  return text + fmt::format(", step {:.2g}{}", first.step_size, first.details);
}

}  // namespace ulisse::cli
