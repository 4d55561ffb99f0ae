#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "fit/summary.h"
#include "sample/langevin.h"
#include "ulisse/gradient_plan.h"

namespace ulisse {

namespace {

using Texts = std::vector<std::string>;

constexpr double kRhatLimit = 1.01;
constexpr double kEssOfAChain = 100;

// "was killed in its warm-up (40 iterations)"
std::string how_far(const FitSummary& s) {
  const std::string how = s.status == "complete"  ? "ended"
                          : s.status == "running" ? "is running"
                                                  : "was " + s.status;
  if (s.in_setup) return how + " in its set-up";
  return fmt::format("{} in its warm-up{}", how,
                     s.warmup > 0 ? fmt::format(" ({} iterations)", s.warmup) : "");
}

void about_state(const FitSummary& s, Texts& texts) {
  const bool running = s.status == "running";
  if (s.draws == 0) {
    texts.push_back(fmt::format("there are no draws{}: the fit {}{}", running ? " yet" : "",
                                how_far(s), running ? "" : "; go on with --resume"));
  } else if (running) {
    texts.emplace_back("the fit is running: these are the draws so far");
  } else if (s.status != "complete") {
    texts.push_back(fmt::format("the fit {}; go on with --resume",
                                s.status == "killed" ? "was killed" : "is not complete"));
  }
  if (s.chains == 1 && s.draws > 0) {
    texts.emplace_back(
        "one chain cannot disagree with itself, so that R-hat says little; use --chains 4");
  }
}

// What was written by one run has one length. While a fit runs, and where a kill ended it, the
// files are as they come.
void about_lengths(const FitSummary& s, Texts& texts) {
  if (s.lengths.empty()) return;
  const auto shortest = std::min_element(s.lengths.begin(), s.lengths.end());
  const auto longest = std::max_element(s.lengths.begin(), s.lengths.end());
  const bool ended = s.status == "complete" || s.status == "interrupted";
  const long expected =
      s.announced_draws > 0 || !ended ? s.announced_draws : static_cast<long>(*longest);
  const auto has = [&](auto chain) {
    return fmt::format("chain_{}.csv has {} draw{} where there were {}",
                       chain - s.lengths.begin() + 1, *chain, *chain == 1 ? "" : "s", expected);
  };
  if (*shortest < expected) {
    texts.push_back(fmt::format(
        "{}: it has been cut short, and of each chain the first {} are used; fit again with "
        "--force",
        has(shortest), *shortest));
  }
  if (ended && *longest > expected) {
    texts.push_back(fmt::format(
        "{}: it has rows that the fit did not write; fit again with --force", has(longest)));
  }
}

void about_convergence(const FitSummary& s, Texts& texts) {
  constexpr double kFarApart = 1.05;
  std::vector<std::string> apart, few;
  double worst = 0;
  for (const auto& p : s.parameters) {
    if (std::isnan(p.rhat)) {
      texts.emplace_back(
          "R-hat cannot be computed, so that nothing says whether chains agree; take more --draws");
      break;
    }
  }
  for (const auto& p : s.parameters) {
    worst = std::max(worst, p.rhat);
    if (p.rhat > kRhatLimit) apart.push_back(fmt::format("{} {:.3f}", p.name, p.rhat));
    const double least = std::min(p.ess_bulk, p.ess_tail);
    if (!(least >= kEssOfAChain * static_cast<double>(s.chains))) {
      few.push_back(fmt::format("{} {:.0f}{}", p.name, least,
                                p.ess_tail < p.ess_bulk ? " in the tails" : ""));
    }
  }
  if (!apart.empty()) {
    texts.emplace_back(fmt::format(
        "R-hat is above {} ({}): {}; take more --draws{}", kRhatLimit, fmt::join(apart, ", "),
        worst < kFarApart
            ? "the chains have nearly come to agree"
            : "the chains have not come to agree, so none of these numbers can be trusted",
        worst < kFarApart ? "" : ", a longer --warmup, or another sampler"));
  }
  if (!few.empty()) {
    texts.emplace_back(
        fmt::format("few effective samples ({}; {:.0f} are wanted): means and quantiles are rough; "
                    "take more --draws",
                    fmt::join(few, ", "), kEssOfAChain * static_cast<double>(s.chains)));
  }
}

// A search may run out of digits next to a mode; ulisse then measures how near.
bool ended_at_a_mode(const FitSummary& s) {
  constexpr double kNear = 0.1;  // in posterior standard deviations
  return s.setup && s.setup->measured_off_mode && s.setup->off_mode < kNear &&
         !s.setup->metric_repaired;
}

void about_modes(const FitSummary& s, Texts& texts) {
  const bool scaled_to_it = s.sampler == "ulisse" || s.sampler == "sgld";
  if (!s.mode_converged && scaled_to_it && !ended_at_a_mode(s)) {
    texts.emplace_back(
        "the search for the mode did not come to an end, so that chains started, and steps were "
        "scaled, somewhere else; compare with --sampler nuts where n allows");
  }
  // With more rows the lesser of two modes holds less and less: a small share of a subset's
  // posterior is nothing.
  constexpr double kNearlyAsHigh = 0.1;
  if (s.setup && s.setup->other_share_there >= kNearlyAsHigh) {
    texts.push_back(fmt::format(
        "in the {} rows in which modes were looked for there are others, which hold about {:.0f} % "
        "of their posterior; what they hold with all rows is not known, and chains do not go "
        "there: take a larger --subset, or another --seed, and compare",
        s.setup->searched_rows, 100 * s.setup->other_share_there));
  }
  if (std::string text = about_a_missed_mode(s); !text.empty()) texts.push_back(std::move(text));
}

constexpr double kRareSolves = 0.01;  // an iteration

std::string rare_draws(double solves) {
  return fmt::format(
      "up to {:.2g} truncated solves an iteration rest on draws too rare to be seen: the gradients "
      "are biased in practice; take a higher --rank, a smaller --q, or --truncation matched",
      solves);
}

void about_sgld(const FitSummary& s, Texts& texts) {
  int never = 0;
  double untrustworthy = 0;
  long unfinished = 0, cut = 0;
  for (const auto& c : s.chain_details) {
    if (!c.frozen_by_noise) return;
    if (!*c.frozen_by_noise) ++never;
    untrustworthy = std::max(untrustworthy, c.untrustworthy);
    unfinished += c.unfinished_solves;
    cut += c.cut_drifts;
  }
  if (never > 0) {
    texts.push_back(fmt::format(
        "the step size was never frozen in {} of {} chains: the noise of the gradients stayed "
        "above its "
        "limit, and the draws are spread too wide; take more --probe-count, a higher --rank, or a "
        "smaller --q",
        never, s.chain_details.size()));
  }
  if (untrustworthy > kRareSolves) texts.push_back(rare_draws(untrustworthy));
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

// Around the mode warm-up looks at the noise itself, and shortens steps.
void about_noise_far_out(const FitSummary& s, Texts& texts) {
  const double far = s.setup->noise_share_far_out;
  const bool measured = s.setup->noise_share < GradientPlan::kMostNoise || std::isfinite(far);
  if (!measured || far < GradientPlan::kMostNoiseFarOut) return;
  texts.push_back(fmt::format(
      "three standard deviations from the mode, solves that are cut add {} to the draws' variance, "
      "and steps can correct for {:.0f} %: tails are not to be trusted; take half the --step, a "
      "higher --rank, or a smaller --q",
      std::isfinite(far) ? fmt::format("{:.0f} %", 100 * far) : "too much",
      100 * GradientPlan::kMostNoiseFarOut));
}

void about_ulisse(const FitSummary& s, Texts& texts) {
  if (!s.setup) return;
  if (s.setup->metric_repaired) {
    texts.emplace_back(
        "the curvature at the mode was not that of a maximum and was repaired: the mode may be a "
        "saddle or a ridge; stronger priors may help, or --sampler nuts");
  }
  // Exact steps are as right as their chains agree.
  if (s.setup->exact) return;
  const double bend = s.setup->bend;
  if (std::isinf(bend)) {
    texts.emplace_back(
        "1.5 standard deviations from the mode the posterior cannot be computed, so that nothing "
        "says how Gaussian it is: these draws are not to be trusted; take --sampler nuts, or a "
        "prior that keeps lambda away from 0");
  } else if (bend >= kBent) {
    texts.push_back(fmt::format(
        "the posterior is visibly not Gaussian (its gradient is off by {:.2f} at 1.5 standard "
        "deviations); steps are {:.2g} long; compare with --sampler nuts where n allows",
        bend, s.setup->step));
  }
  about_noise_far_out(s, texts);
  constexpr double kFarFromTheMode = 1;
  if (const double off = s.setup->off_mode; off > kFarFromTheMode && std::isfinite(off)) {
    texts.push_back(fmt::format(
        "what gradients are compared with lies about {:.1f} posterior standard deviations from the "
        "mode, so that what may be off was measured in the wrong place; a larger --subset may help",
        off));
  }
  if (const long before = s.setup->unfinished_solves; before > 0) {
    texts.push_back(fmt::format(
        "{} solves at the mode did not come to their tolerance, and all gradients rest on them; "
        "take --backend dense, a higher --rank, or --sampler nuts",
        before));
  }
  long cut = 0, unfinished = 0, refreshed = 0, reduced = 0;
  double untrustworthy = 0;
  for (const auto& c : s.chain_details) {
    cut += c.cut_drifts;
    untrustworthy = std::max(untrustworthy, c.untrustworthy);
    if (c.step_reduced) ++reduced;
    unfinished += c.unfinished_solves;
    if (c.metric_refreshed) ++refreshed;
  }
  if (untrustworthy > kRareSolves) texts.push_back(rare_draws(untrustworthy));
  if (reduced > 0) {
    texts.push_back(fmt::format(
        "in {} of {} chains steps were halved during warm-up, for the noise of the gradients or "
        "for steep places: draws are worth less; a higher --rank, more --probe-count or a smaller "
        "--q may help",
        reduced, s.chains));
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
  about_lengths(s, texts);
  about_convergence(s, texts);
  if (s.draws == 0) return texts;
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
