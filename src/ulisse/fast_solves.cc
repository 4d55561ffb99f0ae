#include "ulisse/fast_solves.h"

#include "base/watch.h"

namespace ulisse {

namespace {

SolveSummary solve_and_verify(const WorkingOperator& k, const Preconditioner& preconditioner,
                              const ConstBlock& b, Block x, const CgOptions& cg) {
  CgOptions verified = k.cg(cg);
  verified.verify = true;
  return conjugate_gradients(k.working(), &preconditioner, b, x, verified);
}

}  // namespace

SolveSummary verified_solve(const WorkingOperator& k, const Preconditioner& preconditioner,
                            const ConstBlock& b, Block x, const CgOptions& cg) {
  if (!k.fast) return conjugate_gradients(*k.precise, &preconditioner, b, x, cg);
  SolveSummary fast = solve_and_verify(k, preconditioner, b, x, cg);
  if (fast.unfinished() == 0) return fast;
  if (!x.allFinite()) x.setZero();
  SolveSummary precise = conjugate_gradients(*k.precise, &preconditioner, b, x, cg);
  precise.iterations += fast.iterations;
  precise.exact_products += precise.products + fast.exact_products;
  precise.products = fast.products;
  return precise;
}

bool fast_solves_pay(const WorkingOperator& k, const Preconditioner& preconditioner,
                     const ConstBlock& b, const CgOptions& cg) {
  constexpr double kMaxPriceOfSolveInDouble = 0.85;  // as a share of it
  WatchStep step;
  step.say([] { return "products in float"; });
  Matrix x = Matrix::Zero(b.rows(), b.cols());
  const SolveSummary fast = solve_and_verify(k, preconditioner, b, x, cg);
  if (fast.unfinished() > 0) return false;
  x.setZero();
  step.say([] { return "the same in double"; });
  const SolveSummary precise = conjugate_gradients(*k.precise, &preconditioner, b, x, cg);
  const double price =
      kPriceOfFloat * static_cast<double>(fast.products) + static_cast<double>(fast.exact_products);
  return price < kMaxPriceOfSolveInDouble * static_cast<double>(precise.products);
}

}  // namespace ulisse
