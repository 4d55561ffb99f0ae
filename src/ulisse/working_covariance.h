#pragma once

#include <memory>

#include "ulisse/covariance.h"
#include "ulisse/solve.h"

namespace ulisse {

// K at one psi, and the operator that does the work of solves: K itself, or the same in lower
// precision, corrected by residuals of the precise one.
struct WorkingOperator {
  std::unique_ptr<const CovarianceOperator> precise, fast;

  const CovarianceOperator& working() const { return fast ? *fast : *precise; }

  CgOptions cg(CgOptions options) const {
    if (!fast) return options;
    options.exact = precise.get();
    options.check_drop = 1e-4;  // what products in float are good for
    return options;
  }
};

// The covariance, and the same in lower precision where there is one. Both must outlive this.
struct WorkingCovariance {
  // Not explicit: a covariance is one that works alone.
  WorkingCovariance(const Covariance& in_double, const Covariance* in_float = nullptr)  // NOLINT
      : precise(&in_double), fast(in_float) {}

  WorkingOperator at(const ConstVector& psi) const {
    return {precise->at(psi), fast != nullptr ? fast->at(psi) : nullptr};
  }

  const Covariance* precise;
  const Covariance* fast;
};

}  // namespace ulisse
