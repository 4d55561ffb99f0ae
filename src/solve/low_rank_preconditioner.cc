#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "base/blas.h"
#include "base/watch.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

// L'L + lambda I; the lower half is enough, but whole pieces are simpler.
Matrix shifted_gram(const Matrix& l, double lambda) {
  Matrix gram(l.cols(), l.cols());
  parallel_transposed_product(l, l, gram);
  gram.diagonal().array() += lambda;
  return gram;
}

// Overwrites the upper half of `gram` with R, R'R = gram.
void factorise(Matrix& gram) {
  const Index failed = cholesky(Triangle::upper, gram);
  if (failed == 0) return;
  throw std::runtime_error(
      fmt::format("L'L + lambda I of the preconditioner is not positive definite at {}", failed));
}

// l R^-1, by pieces of rows.
Matrix orthogonal_factor(const Matrix& l, const Matrix& r) {
  Matrix q = l;
  if (l.cols() == 0) return q;
  parallel_pieces(q.rows(), 512, [&](Index start, Index count) {
    solve_right(Triangle::upper, false, r, q.middleRows(start, count));
  });
  return q;
}

}  // namespace

// |P| = lambda^(n - k) |L'L + lambda I|
LowRankPreconditioner::LowRankPreconditioner(Matrix l, double lambda)
    : l_(std::move(l)), lambda_(lambda) {
  if (!(lambda > 0) || !std::isfinite(lambda)) {
    throw std::invalid_argument(fmt::format("a low-rank preconditioner with noise {}", lambda));
  }
  use_one_blas_thread();
  WatchStep step;
  step.say([&] { return fmt::format("factorising a preconditioner of rank {}", l_.cols()); });
  Matrix r = shifted_gram(l_, lambda);
  factorise(r);
  q_ = orthogonal_factor(l_, r);
  log_determinant_ = static_cast<double>(l_.rows() - l_.cols()) * std::log(lambda) +
                     2 * r.diagonal().array().log().sum();
}

// Woodbury: P^-1 x = (x - Q Q'x) / lambda.
void LowRankPreconditioner::apply(const ConstBlock& x, Block y) const {
  Matrix projected(rank(), x.cols());
  parallel_transposed_product(q_, x, projected);
  y = x / lambda_;
  parallel_product(-1 / lambda_, q_, projected, 1, y);
}

Matrix LowRankPreconditioner::sample(Index count, Rng& rng) const {
  Matrix inner(rank(), count), result(size(), count);
  for (Index c = 0; c < count; ++c) {
    inner.col(c) = rng.normal_vector(rank());
    result.col(c) = std::sqrt(lambda_) * rng.normal_vector(size());
  }
  parallel_product(1, l_, inner, 1, result);
  return result;
}

}  // namespace ulisse
