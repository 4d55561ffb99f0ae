#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fit/summary.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

bool swaps_modes(const FitSummary& s) { return s.sampler == "ulisse" && s.setup && s.setup->swaps; }

// It goes to one other mode alone.
bool is_there_a_third_mode(const FitSummary& s) {
  return s.other_modes - s.second_mode >= kModeThatCounts;
}

}  // namespace

// Samplers on stochastic gradients have their steps, and their control variate, from one mode, and
// do not leave it. The others may go from one to the other; draws say whether they did.
bool misses_a_mode(const FitSummary& s) {
  if (s.other_modes < kModeThatCounts) return false;
  if (s.sampler == "sgld" || (s.sampler == "ulisse" && !swaps_modes(s))) return true;
  if (swaps_modes(s) && is_there_a_third_mode(s)) return true;
  // Chains of mh and nuts start at both: the share is that of the starts where chains stay apart.
  constexpr double kApart = 1.05;
  for (const auto& p : s.parameters) {
    if (p.rhat > kApart) return true;
  }
  return s.other_draws < s.other_modes / 3 || 1 - s.other_draws < (1 - s.other_modes) / 3;
}

std::string place_of_the_other_mode(const FitSummary& s) {
  if (s.other_place.size() == 0 ||
      s.other_place.size() != static_cast<Index>(s.parameters.size())) {
    return "";
  }
  std::vector<std::string> texts;
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    texts.push_back(
        fmt::format("{} = {:.3g}", s.parameters[j].name, s.other_place(static_cast<Index>(j))));
  }
  return fmt::format(", at {}", fmt::join(texts, ", "));
}

namespace {

std::string how_modes_are_missed(const FitSummary& s) {
  if (!swaps_modes(s)) return s.sampler + " hardly goes from one to the other";
  return is_there_a_third_mode(s) ? "it is more than one, and ulisse swaps with one alone"
                                  : "ulisse has not swapped with it often enough";
}

}  // namespace

std::string about_a_missed_mode(const FitSummary& s) {
  if (!misses_a_mode(s)) return "";
  return fmt::format(
      "the posterior has another mode{}, which holds about {:.0f} % of it, and {:.0f} % of the "
      "draws are nearer to that one: {}, and its draws cannot be trusted; {}, or a prior that "
      "rules "
      "one of them out",
      place_of_the_other_mode(s), 100 * s.other_modes, 100 * s.other_draws, how_modes_are_missed(s),
      s.sampler == "mh" ? "take more --draws" : "take --sampler mh, which jumps between them");
}

}  // namespace ulisse
