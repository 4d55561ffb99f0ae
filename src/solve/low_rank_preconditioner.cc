#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/blas.h"
#include "base/column_scales.h"
#include "base/grid_product.h"
#include "base/watch.h"
#include "solve/woodbury.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

// L'L + shift I; the lower half is enough, but whole pieces are simpler.
Matrix shifted_gram(const Matrix& l, double shift) {
  Matrix gram = grid_transposed_product(l, column_scales(l), l);
  gram.diagonal().array() += shift;
  return gram;
}

double least_of(const Vector& noise) {
  if (noise.size() > 0 && noise.allFinite() && noise.minCoeff() > 0) return noise.minCoeff();
  throw std::invalid_argument(fmt::format("a low-rank preconditioner with noise {}",
                                          noise.size() > 0 ? noise.minCoeff() : 0));
}

}  // namespace

LowRankPreconditioner::LowRankPreconditioner(Matrix l, double noise)
    : LowRankPreconditioner(l, Vector::Constant(l.rows(), noise)) {}

// With E = D / least and M = E^-1/2 L: P = E^1/2 (M M' + least I) E^1/2, whose inverse is
// Woodbury's and |P| = |E| least^(n - k) |M'M + least I|. Noise that is the same for all rows has E
// = I, and loses no bit by it.
LowRankPreconditioner::LowRankPreconditioner(Matrix l, Vector noise)
    : l_(std::move(l)), noise_(std::move(noise)), least_(least_of(noise_)) {
  if (noise_.size() != l_.rows()) {
    throw std::invalid_argument(
        fmt::format("L has {} rows, the noise {}", l_.rows(), noise_.size()));
  }
  use_one_blas_thread();
  WatchStep step;
  step.say([&] { return fmt::format("factorising a preconditioner of rank {}", l_.cols()); });
  const Vector weights = (noise_ / least_).cwiseSqrt().cwiseInverse();  // E^-1/2
  q_ = weights.asDiagonal() * l_;
  Matrix r = shifted_gram(q_, least_);
  factorise(r);
  solve_rows(r, q_);
  q_ = weights.asDiagonal() * q_;
  log_determinant_ = static_cast<double>(l_.rows() - l_.cols()) * std::log(least_) +
                     2 * r.diagonal().array().log().sum() - 2 * weights.array().log().sum();
}

// P^-1 x = D^-1 x - Q Q'x / least. No element of Q is larger than 1, since Q Q' / least <= D^-1.
void LowRankPreconditioner::apply(const ConstBlock& x, Block y) const {
  const Matrix projected =
      grid_transposed_product(q_, std::vector<double>(static_cast<std::size_t>(rank()), 1.0), x);
  parallel_pieces(size(), 4096, [&](Index start, Index count) {
    y.middleRows(start, count) =
        x.middleRows(start, count).array().colwise() / noise_.segment(start, count).array();
  });
  parallel_product(-1 / least_, q_, projected, 1, y);
}

// P^-1 = D^-1 - Q Q' / least.
Vector LowRankPreconditioner::half_trace(const CovarianceOperator& k,
                                         const std::function<void(Index)>& watch) const {
  const Vector trace = k.diagonal_slopes((least_ * noise_.cwiseInverse()).sum());
  return 0.5 / least_ * (trace - sum_of_forms(k, q_, watch));
}

Matrix LowRankPreconditioner::sample(Index count, Rng& rng) const {
  Matrix inner(rank(), count), result(size(), count);
  for (Index c = 0; c < count; ++c) {
    inner.col(c) = rng.normal_vector(rank());
    result.col(c) = noise_.cwiseSqrt().cwiseProduct(rng.normal_vector(size()));
  }
  parallel_product(1, l_, inner, 1, result);
  return result;
}

}  // namespace ulisse
