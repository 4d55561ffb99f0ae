#include "solve/check_system.h"

#include <fmt/format.h>

#include <stdexcept>

namespace ulisse {

void check_sizes(const LinearOperator& a, const LinearOperator* preconditioner, const ConstBlock& b,
                 const Block& x) {
  const Index n = a.size();
  if (b.rows() != n || x.rows() != n || b.cols() != x.cols()) {
    throw std::invalid_argument(fmt::format(
        "a system of size {} with a right-hand side of {} x {} and a solution of {} x {}", n,
        b.rows(), b.cols(), x.rows(), x.cols()));
  }
  if (preconditioner != nullptr && preconditioner->size() != n) {
    throw std::invalid_argument(fmt::format("a preconditioner of size {} for a system of size {}",
                                            preconditioner->size(), n));
  }
}

void check_tolerances(const CgOptions& options) {
  if (options.tolerance >= 0 && options.relative_tolerance >= 0) return;
  throw std::invalid_argument(
      fmt::format("tolerances of {} and {} relative; neither may be negative", options.tolerance,
                  options.relative_tolerance));
}

}  // namespace ulisse
