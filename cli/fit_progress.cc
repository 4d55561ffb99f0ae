#include "fit_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "format.h"
#include "ulisse/diagnose.h"

namespace ulisse::cli {

void FitProgress::progress(const RunState& state, const RunPlan& plan,
                           const std::vector<Matrix>& draws, const FitChains& chains) {
  if (!progress_.is_due()) return;
  look_at(draws);
  progress_.show(line(state, plan, chains));
}

// At most every two seconds: with many draws it takes a while.
void FitProgress::look_at(const std::vector<Matrix>& draws) {
  if (seconds_now() - looked_at_ < 2 || draws.empty() || draws[0].rows() < 20) return;
  looked_at_ = seconds_now();
  double worst = 0, least = INFINITY;
  for (const Matrix& d : draws) {
    worst = std::max(worst, diagnose::rhat(d));
    least = std::min(least, diagnose::ess_bulk(d));
  }
  verdict_ = fmt::format(", R-hat {:.3f}, ESS {:.0f}", worst, least);
}

std::string FitProgress::line(const RunState& state, const RunPlan& plan,
                              const FitChains& chains) const {
  const double seconds = state.warming_up() ? state.warmup_seconds : state.sampling_seconds;
  const auto done = static_cast<double>(state.warming_up() ? state.iteration : state.draws());
  const double speed = seconds > 0 ? done / seconds : 0;
  std::string text;
  if (state.warming_up()) {
    text = fmt::format("warm-up, iteration {}", state.iteration);
  } else {
    const long left = draws_wanted(plan, state);
    text = fmt::format("sampling, draw {} of {}", state.draws(), state.draws() + left);
    if (speed > 0) text += ", " + duration(static_cast<double>(left) / speed) + " left";
  }
  text += fmt::format(", {:.3g} iterations/s a chain", speed);
  if (const SgldRecord* record = chains.sgld_record(0)) {
    text += fmt::format(", {:.1f} products an iteration, step {:.2g}, noise ratio {:.2g}",
                        static_cast<double>(record->products) /
                            static_cast<double>(std::max(1L, record->iterations)),
                        chains.step_size(0), record->noise_ratio);
  }
  return text + verdict_;
}

}  // namespace ulisse::cli
