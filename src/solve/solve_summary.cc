#include "solve/solve_summary.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ulisse {

void add_up_columns(SolveSummary& summary) {
  for (const ColumnSummary& c : summary.columns) {
    summary.stop = std::max(summary.stop, c.stop);
    summary.iterations = std::max(summary.iterations, c.iterations);
    if (c.residual > summary.residual || std::isnan(c.residual)) summary.residual = c.residual;
  }
}

long SolveSummary::unfinished() const {
  return std::count_if(columns.begin(), columns.end(),
                       [](const ColumnSummary& c) { return c.stop > Stop::truncated; });
}

std::string to_string(Stop stop) {
  switch (stop) {
    case Stop::converged:
      return "converged";
    case Stop::truncated:
      return "truncated";
    case Stop::iteration_limit:
      return "iteration limit";
    case Stop::stagnation:
      return "stagnation";
    case Stop::breakdown:
      return "breakdown";
  }
  throw std::logic_error("a stop without a name");
}

}  // namespace ulisse
