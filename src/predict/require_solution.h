#pragma once

#include <fmt/format.h>

#include "base/option_names.h"
#include "ulisse/error.h"
#include "ulisse/solve.h"

namespace ulisse {

inline void require_solution(const SolveSummary& summary) {
  if (summary.stop == Stop::converged) return;
  throw InputError(fmt::format(
      "conjugate gradients did not come to the accuracy that predictions need ({}); take {}, "
      "or a higher {}",
      to_string(summary.stop), option_set("method", "exact"), option_named("rank")));
}

}  // namespace ulisse
