#pragma once

#include "covariance/dense.h"

namespace ulisse {

// Keeps the tiles of shape values for one psi in memory, half of the symmetric matrix: a product
// costs a pass over memory instead of n^2/2 exponentials. Derivatives are still computed.
class CachedOperator : public DenseOperator<double> {
 public:
  CachedOperator(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi);
  void apply(const ConstBlock& x, Block y) const override;

 private:
  struct Free {
    void operator()(double* p) const { tbb::cache_aligned_allocator<double>().deallocate(p, 0); }
  };
  const double* tile(Index i, Index j) const;

  std::unique_ptr<double[], Free> tiles_;  // not a vector: no time is spent on zeros
};

}  // namespace ulisse
