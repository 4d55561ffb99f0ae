#pragma once

#include <fmt/format.h>

#include "ulisse/error.h"
#include "ulisse/solve.h"

namespace ulisse {

inline void require_solution(const SolveSummary& summary) {
  if (summary.stop == Stop::converged) return;
  throw InputError(fmt::format(
      "conjugate gradients did not come to the accuracy that predictions need ({}); take --method "
      "exact, or a higher --rank",
      to_string(summary.stop)));
}

}  // namespace ulisse
