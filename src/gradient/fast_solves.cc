#include "gradient/fast_solves.h"

namespace ulisse {

bool fast_solves_pay(const WorkingOperator& k, const LowRankPreconditioner& preconditioner,
                     const ConstVector& y, const CgOptions& cg) {
  constexpr double kPrice = 0.55;   // of a product in float, measured at 22,784 rows
  constexpr double kEnough = 0.85;  // of the price of a solve in double
  CgOptions verified = k.cg(cg);
  verified.verify = true;
  Matrix x = Matrix::Zero(y.size(), 1);
  const SolveSummary fast = conjugate_gradients(k.working(), &preconditioner, y, x, verified);
  if (fast.unfinished() > 0) return false;
  x.setZero();
  const SolveSummary precise = conjugate_gradients(*k.precise, &preconditioner, y, x, cg);
  const double price =
      kPrice * static_cast<double>(fast.products) + static_cast<double>(fast.exact_products);
  return price < kEnough * static_cast<double>(precise.products);
}

}  // namespace ulisse
