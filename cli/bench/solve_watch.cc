#include "solve_watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace ulisse::cli {

void SolveWatch::begin(const std::string& backend, const std::string& preconditioner) {
  what_ = fmt::format("solving on backend {}, preconditioner {}", backend, preconditioner);
  progress_.show(what_);
}

bool SolveWatch::update(Index /*column*/, int iteration, double /*step*/,
                        const ConstVector& /*direction*/, double residual) {
  if (iteration != iteration_) largest_ = 0;
  iteration_ = iteration;
  largest_ = std::max(largest_, residual);
  if (!progress_.is_due()) return true;
  progress_.show(fmt::format("{}: iteration {}, residual {:.1e} on its way to {:g}", what_,
                             iteration, largest_, tolerance_));
  return true;
}

}  // namespace ulisse::cli
