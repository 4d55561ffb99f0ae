#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

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

// P, symmetric and positive definite, near K at one psi: apply gives P^-1 x. Conjugate gradients
// ask for no more than that, and take any LinearOperator; anchors, stochastic gradients and
// predictions ask for the rest. Immutable, shared by threads.
class Preconditioner : public LinearOperator {
 public:
  // Columns, (n), that an application reads: what it costs. So many forms half_trace takes.
  virtual Index rank() const = 0;
  // Of each row, that an application looks at beside them.
  virtual Index neighbours() const { return 0; }
  virtual double log_determinant() const = 0;
  // Of a row, in the K that it was made for: no eigenvalue of K is smaller.
  virtual double least_noise() const = 0;

  // Each column ~ N(0, P).
  virtual Matrix sample(Index count, Rng& rng) const = 0;

  // 1/2 tr(P^-1 dK_j) for each parameter in k's psi, the expectation of what is used as control for
  // 1/2 tr(K^-1 dK_j). Called with the number of forms done. Empty where there is no cheap way, and
  // there are no controls then.
  virtual Vector half_trace(const CovarianceOperator& k,
                            const std::function<void(Index)>& watch = {}) const;
};

struct PreconditionerOptions {
  Index rank = 100;      // at most, and the trend's columns
  Index neighbours = 0;  // of each row; 0: a factor of low rank alone
  std::uint64_t seed = 1;
};

// Preconditioners of one K, which must outlive this, with at most this rank, with these neighbours
// and without: what they have in common is computed once.
struct PreconditionerChoices {
  PreconditionerOptions most;
  std::function<std::shared_ptr<const Preconditioner>(Index rank, bool neighbours)> with;
};

// What fits and predictions take: nobody else says which.
PreconditionerChoices preconditioners(const CovarianceOperator& k,
                                      const PreconditionerOptions& most);
std::shared_ptr<const Preconditioner> make_preconditioner(const CovarianceOperator& k,
                                                          const PreconditionerOptions& options);

// P = L L' + D, D diagonal.
class LowRankPreconditioner : public Preconditioner {
 public:
  // l: (n, rank); noise: D, (n), or the same for all rows.
  LowRankPreconditioner(Matrix l, Vector noise);
  LowRankPreconditioner(Matrix l, double noise);

  Index size() const override { return l_.rows(); }
  Index rank() const override { return l_.cols(); }
  void apply(const ConstBlock& x, Block y) const override;

  double log_determinant() const override { return log_determinant_; }
  // Q, (n, rank), and the noise's least element: P^-1 = D^-1 - Q Q' / least_noise().
  const Matrix& projection() const { return q_; }
  double least_noise() const override { return least_; }
  const Vector& noise() const { return noise_; }

  // L e1 + sqrt(D) e2.
  Matrix sample(Index count, Rng& rng) const override;

  Vector half_trace(const CovarianceOperator& k,
                    const std::function<void(Index)>& watch = {}) const override;

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
