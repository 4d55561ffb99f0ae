#pragma once

#include <atomic>
#include <cstdint>

#include "ulisse/covariance.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"
#include "ulisse/types.h"

namespace ulisse {

enum class Pivoting {
  random,  // RPCholesky: pivots drawn in proportion to what is left of the diagonal, in blocks
  greedy   // the largest that is left, one at a time
};

struct PivotedCholeskyOptions {
  Index rank = 100;
  Pivoting pivoting = Pivoting::random;
  std::uint64_t seed = 1;
};

// L with L L' close to K without its noise: the trend's columns, exactly, then at most rank for the
// kernel. Fewer when nothing is left of the diagonal but rounding.
Matrix pivoted_cholesky(const CovarianceOperator& k, const PivotedCholeskyOptions& options);

// P = L L' + D, D diagonal, as an approximate inverse: apply gives P^-1 x.
class LowRankPreconditioner : public LinearOperator {
 public:
  // l: (n, rank); noise: D, (n), or the same for all rows.
  LowRankPreconditioner(Matrix l, Vector noise);
  LowRankPreconditioner(Matrix l, double noise);

  Index size() const override { return l_.rows(); }
  Index rank() const { return l_.cols(); }
  void apply(const ConstBlock& x, Block y) const override;

  double log_determinant() const { return log_determinant_; }
  // Q, (n, rank), and the noise's least element: P^-1 = D^-1 - Q Q' / least_noise().
  const Matrix& projection() const { return q_; }
  double least_noise() const { return least_; }
  const Vector& noise() const { return noise_; }

  // Each column ~ N(0, P): L e1 + sqrt(D) e2.
  Matrix sample(Index count, Rng& rng) const;

 private:
  Matrix l_;  // (n, rank)
  Vector noise_;
  double least_;
  Matrix q_;  // (n, rank): E^-1 L R^-1 with E = D / least, R'R = L'E^-1 L + least I
  double log_determinant_;
};

// J = K + delta I, inverted by an inner CG: the preconditioner of the paper's section 3.3. It is
// not exactly linear, which conjugate_gradients allows for.
class ShiftedPreconditioner : public LinearOperator {
 public:
  // k must outlive this; in float for a cheap inner solve.
  ShiftedPreconditioner(const LinearOperator& k, double delta, CgOptions inner);

  Index size() const override { return k_.size(); }
  void apply(const ConstBlock& x, Block y) const override;

  long inner_iterations() const { return iterations_; }  // of all calls so far
  long inner_products() const { return products_; }

 private:
  const LinearOperator& k_;
  double delta_;
  CgOptions inner_;
  mutable std::atomic<long> iterations_{0}, products_{0};
};

}  // namespace ulisse
