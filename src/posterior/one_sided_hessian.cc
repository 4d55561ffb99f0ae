#include "posterior/one_sided_hessian.h"

namespace ulisse {

// The truncation is half the step times the ratio of third to second derivatives, some 1.
Matrix one_sided_hessian(const ExactPosterior& posterior, const Vector& psi, const Vector& gradient,
                         const Evaluated& evaluated) {
  constexpr double kStep = 1e-3;
  const Index p = psi.size();
  Matrix hessian = Matrix::Constant(p, p, std::numeric_limits<double>::quiet_NaN());
  for (Index i = 0; i < p; ++i) {
    const LogDensity above = posterior.log_density_and_gradient(psi + kStep * Vector::Unit(p, i));
    if (evaluated) evaluated(above.value);
    if (above.rejected()) return hessian;
    hessian.col(i) = (above.gradient - gradient) / kStep;
  }
  return 0.5 * (hessian + hessian.transpose());
}

}  // namespace ulisse
