#include "solve/woodbury.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/blas.h"

namespace ulisse {

void factorise(Matrix& gram) {
  const Index failed = cholesky(Triangle::upper, gram);
  if (failed == 0) return;
  throw std::runtime_error(
      fmt::format("the factor of a preconditioner is not positive definite at {}", failed));
}

void solve_rows(const Matrix& r, Matrix& q) {
  if (q.cols() == 0) return;
  parallel_pieces(q.rows(), 512, [&](Index start, Index count) {
    solve_right(Triangle::upper, false, r, q.middleRows(start, count));
  });
}

Vector sum_of_forms(const CovarianceOperator& k, const Matrix& q,
                    const std::function<void(Index)>& watch) {
  constexpr Index kColumns = 64;
  Vector sum = k.diagonal_slopes(0);
  for (Index c = 0; c < q.cols(); c += kColumns) {
    if (watch) watch(c);
    const auto block = q.middleCols(c, std::min(kColumns, q.cols() - c));
    sum += k.gradient_forms(block, block);
  }
  return sum;
}

}  // namespace ulisse
