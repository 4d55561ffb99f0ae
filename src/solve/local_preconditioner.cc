#include "solve/local_preconditioner.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/blas.h"
#include "base/column_scales.h"
#include "base/grid_product.h"
#include "base/watch.h"
#include "solve/woodbury.h"

namespace ulisse {

namespace {

// The trend's columns stand first; neighbours explain what is left of the kernel.
auto of_kernel(const CovarianceOperator& k, const Matrix& l) {
  return l.rightCols(std::max<Index>(0, l.cols() - k.trend().cols()));
}

}  // namespace

LocalPreconditioner::LocalPreconditioner(const CovarianceOperator& k, Matrix l,
                                         std::shared_ptr<const NearestEarlier> near)
    : neighbours_(near->most),
      least_noise_(k.noise().minCoeff()),
      l_(std::move(l)),
      near_(k, of_kernel(k, l_), std::move(near)),
      q_(l_.rows(), l_.cols()) {
  if (!(least_noise_ > 0)) {
    throw std::invalid_argument(
        fmt::format("a preconditioner of neighbours with noise {}", least_noise_));
  }
  use_one_blas_thread();
  WatchStep step;
  step.say([&] { return fmt::format("factorising a preconditioner of rank {}", l_.cols()); });
  constexpr Index kColumns = 64;  // each block takes two of its size
  for (Index c = 0; c < rank(); c += kColumns) {
    const Index count = std::min(kColumns, rank() - c);
    near_.apply(l_.middleCols(c, count), q_.middleCols(c, count));
  }
  Matrix r = grid_transposed_product(l_, column_scales(l_), q_);
  r = (0.5 * (r + r.transpose())).eval();
  r.diagonal().array() += 1;
  factorise(r);
  solve_rows(r, q_);
  q_scales_ = column_scales(q_);
  log_determinant_ = near_.log_determinant() + 2 * r.diagonal().array().log().sum();
}

void LocalPreconditioner::apply(const ConstBlock& x, Block y) const {
  const Matrix projected = grid_transposed_product(q_, q_scales_, x);
  near_.apply(x, y);
  parallel_product(-1, q_, projected, 1, y);
}

// P^-1 = S^-1 - Q Q'.
Vector LocalPreconditioner::half_trace(const CovarianceOperator& k,
                                       const std::function<void(Index)>& watch) const {
  return 0.5 * (near_.trace(k) - sum_of_forms(k, q_, watch));
}

Matrix LocalPreconditioner::sample(Index count, Rng& rng) const {
  Matrix inner(rank(), count);
  for (Index c = 0; c < count; ++c) inner.col(c) = rng.normal_vector(rank());
  Matrix result = near_.sample(count, rng);
  parallel_product(1, l_, inner, 1, result);
  return result;
}

}  // namespace ulisse
