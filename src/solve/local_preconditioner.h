#pragma once

#include "solve/neighbour_factor.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

// P = L L' + S: what is far by a factor of low rank, what is near by each row's neighbours. Tables
// of few inputs and rough kernels have covariances that no low rank comes near to, and in which a
// row says little of those beyond its neighbours.
class LocalPreconditioner : public Preconditioner {
 public:
  // l: (n, rank), of k.
  LocalPreconditioner(const CovarianceOperator& k, Matrix l,
                      std::shared_ptr<const NearestEarlier> near);

  Index size() const override { return l_.rows(); }
  Index rank() const override { return l_.cols(); }
  Index neighbours() const override { return neighbours_; }
  void apply(const ConstBlock& x, Block y) const override;

  double log_determinant() const override { return log_determinant_; }
  double least_noise() const override { return least_noise_; }
  Matrix sample(Index count, Rng& rng) const override;
  Vector half_trace(const CovarianceOperator& k,
                    const std::function<void(Index)>& watch = {}) const override;

 private:
  Index neighbours_;
  double least_noise_;
  Matrix l_;
  NeighbourFactor near_;
  std::vector<double> q_scales_;
  Matrix q_;  // (n, rank): S^-1 L R^-1, R'R = I + L'S^-1 L, so that P^-1 = S^-1 - Q Q'
  double log_determinant_;
};

}  // namespace ulisse
