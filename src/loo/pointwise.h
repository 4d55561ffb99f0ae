#pragma once

#include "ulisse/types.h"

namespace ulisse {

// Of one row, from log p(y_i | y_-i, psi) for draws of psi, chain after chain, given all rows.
struct PointwiseLoo {
  double elpd, mcse, p_loo, pareto_k, relative_ess;
  Vector weights;  // which make the draws those given all rows but this one
};
PointwiseLoo pointwise_loo(const ConstVector& log_density, Index chains);

}  // namespace ulisse
