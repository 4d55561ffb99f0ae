#pragma once

#include <cmath>
#include <memory>

#include "ulisse/covariance.h"

namespace ulisse::testing {

inline std::unique_ptr<const CovarianceOperator> covariance(const Matrix& x, double sigma,
                                                            double tau,
                                                            const char* kernel = "rbf") {
  const Vector psi = (Vector(3) << std::log(sigma), std::log(tau), std::log(0.1)).finished();
  return make_covariance(parse_kernel(kernel), x, {.backend = "dense"})->at(psi);
}

// K without its noise.
inline Matrix signal(const CovarianceOperator& k) {
  Indices all(static_cast<std::size_t>(k.size()));
  for (Index i = 0; i < k.size(); ++i) all[i] = i;
  Matrix result(k.size(), k.size());
  k.kernel().columns(all, result);
  return result;
}

inline double trace_error(const Matrix& k, const Matrix& l) { return k.trace() - l.squaredNorm(); }

}  // namespace ulisse::testing
