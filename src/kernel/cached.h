#pragma once

#include "kernel/dense.h"
#include "kernel/tile_memory.h"

namespace ulisse {

// Keeps the tiles of kernel values for one psi in memory, half of the symmetric matrix: a product
// costs a pass over memory instead of n^2/2 exponentials. Derivatives are still computed. Results
// are those of DenseOperator, bit for bit.
class CachedOperator : public DenseOperator<double> {
 public:
  // tiles: cached_bytes(n) of memory, overwritten.
  CachedOperator(const KernelPoints& points, const ConstVector& psi,
                 std::shared_ptr<double[]> tiles);
  void apply(const ConstBlock& x, Block y) const override;

 private:
  std::shared_ptr<double[]> tiles_;
};

// What it keeps for n points.
std::size_t cached_bytes(Index n);

}  // namespace ulisse
