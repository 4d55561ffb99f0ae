#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fit/summary.h"

namespace ulisse {

namespace {

using Texts = std::vector<std::string>;

constexpr double kRhatLimit = 1.01;
constexpr double kEssOfAChain = 100;

void about_state(const FitSummary& s, Texts& texts) {
  if (s.draws == 0) {
    texts.push_back(fmt::format(
        "there are no draws: the fit ended in its warm-up ({} iterations); go on with --resume",
        s.warmup));
  } else if (s.status != "complete") {
    texts.emplace_back("the fit is not complete; go on with --resume");
  }
  if (s.chains == 1 && s.draws > 0) {
    texts.emplace_back(
        "one chain cannot disagree with itself, so that R-hat says little; use --chains 4");
  }
}

void about_convergence(const FitSummary& s, Texts& texts) {
  std::vector<std::string> apart, few;
  for (const auto& p : s.parameters) {
    if (!(p.rhat <= kRhatLimit)) apart.push_back(fmt::format("{} {:.3f}", p.name, p.rhat));
    const double least = std::min(p.ess_bulk, p.ess_tail);
    if (!(least >= kEssOfAChain * static_cast<double>(s.chains))) {
      few.push_back(fmt::format("{} {:.0f}", p.name, least));
    }
  }
  if (!apart.empty()) {
    texts.emplace_back(
        fmt::format("R-hat is above {} ({}): the chains have not come to agree, so none of these "
                    "numbers can be "
                    "trusted; take more --draws, a longer --warmup, or another sampler",
                    kRhatLimit, fmt::join(apart, ", ")));
  }
  if (!few.empty()) {
    texts.emplace_back(
        fmt::format("few effective samples ({}; {:.0f} are wanted): means and quantiles are rough; "
                    "take more --draws",
                    fmt::join(few, ", "), kEssOfAChain * static_cast<double>(s.chains)));
  }
}

// Samplers that know one mode only, and steps that were scaled to it.
void about_modes(const FitSummary& s, Texts& texts) {
  constexpr double kMuch = 0.01;
  if (s.other_modes < kMuch || (s.sampler != "ulisse" && s.sampler != "sgld")) return;
  texts.push_back(
      fmt::format("the posterior has another mode, which holds about {:.0f} % of it: {} hardly "
                  "goes from one to "
                  "the other, and its draws cannot be trusted; take --sampler nuts",
                  100 * s.other_modes, s.sampler));
}

void about_sgld(const FitSummary& s, Texts& texts) {
  int never = 0;
  double untrustworthy = 0;
  long unfinished = 0, cut = 0;
  for (const auto& c : s.chain_details) {
    if (!c.contains("frozen_at")) return;
    if (!c.at("frozen_by_noise").get<bool>()) ++never;
    untrustworthy = std::max(untrustworthy, c.at("untrustworthy_per_iteration").get<double>());
    unfinished += c.at("unfinished_solves").get<long>();
    cut += c.value("cut_drifts", 0L);
  }
  if (never > 0) {
    texts.push_back(fmt::format(
        "the step size was never frozen in {} of {} chains: the noise of the gradients stayed "
        "above its "
        "limit, and the draws are spread too wide; take more --probe-count, a higher --rank, or a "
        "smaller --q",
        never, s.chain_details.size()));
  }
  if (untrustworthy > 0.01) {
    texts.push_back(fmt::format(
        "up to {:.2g} truncated solves an iteration rest on draws too rare to be seen: the "
        "gradients "
        "are biased in practice; take a higher --rank, a smaller --q, or --truncation matched",
        untrustworthy));
  }
  if (cut > 0) {
    texts.push_back(fmt::format(
        "{} steps of {} draws went three times as far along the gradient as the noise injected "
        "goes, "
        "and were cut: the noise of the gradients has a heavy tail; take a higher --rank or a "
        "smaller --q",
        cut, s.draws * s.chains));
  }
  if (unfinished > 0) {
    texts.push_back(fmt::format(
        "{} solves hit the iteration limit or broke down; their gradients are biased", unfinished));
  }
}

void about_ulisse(const FitSummary& s, Texts& texts) {
  if (!s.setup.is_object()) return;
  constexpr double kBend = 0.5;
  const double bend = s.setup.value("bend", 0.0);
  if (bend > kBend) {
    texts.push_back(fmt::format(
        "the posterior is visibly not Gaussian (its gradient is off by {:.2f} at 1.5 standard "
        "deviations), and steps were shortened to {:.2g}; compare with --sampler nuts where n "
        "allows",
        bend, s.setup.value("step", 0.0)));
  }
  if (s.setup.value("metric_repaired", false)) {
    texts.emplace_back(
        "the curvature at the mode was not that of a maximum and was repaired: the mode may be a "
        "saddle or a ridge; stronger priors may help, or --sampler nuts");
  }
  long cut = 0, unfinished = 0, refreshed = 0;
  for (const auto& c : s.chain_details) {
    cut += c.value("cut_drifts", 0L);
    unfinished += c.value("unfinished_solves", 0L);
    if (c.value("metric_refreshed", false)) ++refreshed;
  }
  if (cut * 100 > s.draws * s.chains) {
    texts.push_back(fmt::format(
        "{} of {} steps began where the posterior is steeper than a Gaussian's and were cut: its "
        "tails are not to be trusted; take half the --step, or --sampler nuts",
        cut, s.draws * s.chains));
  }
  if (refreshed > 0) {
    texts.push_back(fmt::format(
        "in {} of {} chains the draws' covariance was far from that of the mode and replaced it; a "
        "longer --warmup may help",
        refreshed, s.chains));
  }
  if (unfinished > 0) {
    texts.push_back(fmt::format(
        "{} solves hit the iteration limit or broke down; their gradients are biased", unfinished));
  }
  if (s.bias) {
    for (auto& text : warnings_of(*s.bias)) texts.push_back(std::move(text));
  }
}

}  // namespace

std::vector<std::string> warnings_of(const FitSummary& s, long divergent) {
  Texts texts;
  about_state(s, texts);
  about_convergence(s, texts);
  about_modes(s, texts);
  about_sgld(s, texts);
  about_ulisse(s, texts);
  if (divergent > 0) {
    texts.push_back(fmt::format(
        "{} of {} trajectories diverged: the posterior has corners that the sampler cannot follow; "
        "stronger priors may help",
        divergent, s.draws * s.chains));
  }
  return texts;
}

}  // namespace ulisse
