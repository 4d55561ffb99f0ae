#pragma once

#include <memory>

#include "solve/nearest_rows.h"
#include "ulisse/covariance.h"
#include "ulisse/random.h"

namespace ulisse {

// Vecchia's approximation S of what a factor of low rank leaves of a covariance, K - L L': the
// density of each row given all rows before it, by those given its nearest ones. S^-1 = B' D^-1 B,
// where B has a row's weights of its neighbours, a one, and zeros.
class NeighbourFactor {
 public:
  // l: (n, rank).
  NeighbourFactor(const CovarianceOperator& k, const ConstBlock& l,
                  std::shared_ptr<const NearestEarlier> near);

  Index size() const { return near_->size(); }

  // y = S^-1 x; y may be x.
  void apply(const ConstBlock& x, Block y) const;
  double log_determinant() const;
  // Each column ~ N(0, S).
  Matrix sample(Index count, Rng& rng) const;
  // tr(S^-1 dK_j) for each parameter in k's psi.
  Vector trace(const CovarianceOperator& k) const;

 private:
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  void find_weights(const CovarianceOperator& k, const Rows& l);
  void transpose();
  const double* weights(Index place) const { return weights_.data() + place * near_->most; }
  Index row(Index place) const { return near_->order[static_cast<std::size_t>(place)]; }

  std::shared_ptr<const NearestEarlier> near_;
  std::vector<double> weights_;  // of neighbours, as they stand in near_
  Vector variances_;             // D, by place
  // Where each place stands among neighbours of others: columns of B.
  std::vector<std::uint32_t> first_use_, uses_;
};

}  // namespace ulisse
