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
std::string about_draws(const ChainNews& news) {
  if (std::isnan(news.acceptance)) return "";
  std::string text =
      fmt::format(", acceptance {:.2f}, log density {:.1f}", news.acceptance, news.log_density);
  if (news.gradients > 0) text += fmt::format(", {:.1f} gradients an iteration", news.gradients);
  if (news.divergent > 0) text += fmt::format(", {} divergent", news.divergent);
  return text;
}

// "  chain 2: sampling, step 0.41, acceptance 0.83, ..."
std::string chain_line(const RunState& state, const FitChains& chains, int c,
                       const ChainNews& news) {
  const bool adapting = chains.chains()[static_cast<std::size_t>(c)]->warming_up();
  const char* phase = adapting ? "warm-up" : state.warming_up() ? "waits for others" : "sampling";
  const std::string own = chains.news(c);
  return fmt::format("  chain {}: {}, step {:.2g}{}", c + 1, phase, chains.step_size(c),
                     own.empty() ? about_draws(news) : own);
}

}  // namespace

void FitProgress::progress(const RunState& state, const std::vector<Matrix>& draws,
                           const FitChains& chains, const std::vector<ChainNews>& news) {
  if (!progress_.is_due()) return;
  look_at(draws, state.draws());
  std::vector<std::string> details;
  for (std::size_t c = 0; c < news.size(); ++c) {
    details.push_back(chain_line(state, chains, static_cast<int>(c), news[c]));
  }
  progress_.show(line(state, chains), details);
}

// At most every two seconds, and so seldom that it takes less than a hundredth of the time.
void FitProgress::look_at(const std::vector<Matrix>& draws, long all) {
  const double start = seconds_now();
  if (start < next_look_ || draws.empty() || draws[0].rows() < 20) return;
  double worst = 0, least = INFINITY;
  for (const Matrix& d : draws) {
    worst = std::max(worst, diagnose::rhat(d));
    least = std::min(least, diagnose::ess_bulk(d));
  }
  // Of some of the draws there is no telling how much more all of them are worth.
  const char* some = draws[0].rows() < all ? "over " : "";
  verdict_ = fmt::format(", R-hat {:.3f}, ESS {}{:.0f}", worst, some, least);
  const double now = seconds_now();
  next_look_ = now + std::max(2.0, 100 * (now - start));
}

std::string FitProgress::line(const RunState& state, const FitChains& chains) const {
  const double seconds = state.warming_up() ? state.warmup_seconds : state.sampling_seconds;
  const auto done = static_cast<double>(state.warming_up() ? state.iteration : state.draws());
  const double speed = seconds > 0 ? done / seconds : 0;
  std::string text;
  if (state.warming_up()) {
    text = fmt::format("warm-up, iteration {}", state.iteration);
  } else {
    const long left = draws_wanted(chains.plan(), state);
    text = fmt::format("sampling, draw {} of {}", state.draws(), state.draws() + left);
    if (speed > 0) text += ", " + duration(static_cast<double>(left) / speed) + " left";
  }
  text += fmt::format(", {:.3g} iterations/s a chain{}", speed, verdict_);
  // Elsewhere than in a terminal there is no line for each chain, and the first stands for all.
  const std::string news = chains.news(0);
  if (news.empty() || progress_.in_terminal()) return text;
  return text + fmt::format(", step {:.2g}{}", chains.step_size(0), news);
}

}  // namespace ulisse::cli
