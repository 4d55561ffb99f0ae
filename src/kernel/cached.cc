#include "kernel/cached.h"

#include <algorithm>

#include "kernel/backends.h"
#include "kernel/tiled_product.h"

namespace ulisse {

namespace {

// Tiles stand row by row of the lower triangle. A pair is stored the way round that
// for_each_tile_pair gives it, which is the same each time.
Index tile_offset(Index i, Index j) {
  const Index row = std::max(i, j), column = std::min(i, j);
  return (row * (row + 1) / 2 + column) * simd::kTileSize;
}

}  // namespace

std::size_t cached_bytes(Index n) {
  const auto tiles = static_cast<std::size_t>(tiles_for(n));
  return tiles * (tiles + 1) / 2 * simd::kTileSize * sizeof(double);
}

CachedOperator::CachedOperator(const KernelPoints& points, const ConstVector& psi,
                               std::shared_ptr<double[]> tiles)
    : DenseOperator<double>(points, psi), tiles_(std::move(tiles)) {
  for_each_tile_pair(kernel().tiles(), [&](Index i, Index j, Index) {
    kernel().values(i, j, tiles_.get() + tile_offset(i, j));
  });
}

void CachedOperator::apply(const ConstBlock& x, Block y) const {
  check_apply(size(), x, y);
  tiled_product<double>(variance(), x, y, [&](Index i, Index j, double*) {
    return tiles_.get() + tile_offset(i, j);
  });
}

namespace {

// Several K are in use at once where chains run side by side, or where fresh probes keep the one at
// the mode. Those for which the budget has no room are not kept, which takes longer and changes
// nothing else.
KernelAt build_cached(const Kernel& kernel, const ConstBlock& x, const CovarianceOptions& options) {
  const std::size_t bytes = cached_bytes(x.rows());
  auto memory =
      std::make_shared<TileMemory>(bytes / sizeof(double), memory_budget(options) / bytes);
  return [memory, points = std::make_shared<const KernelPoints>(kernel, x)](
             const ConstVector& psi) -> std::unique_ptr<const KernelOperator> {
    auto tiles = memory->acquire();
    if (!tiles) return std::make_unique<const DenseOperator<double>>(*points, psi);
    return std::make_unique<const CachedOperator>(*points, psi, std::move(tiles));
  };
}

}  // namespace

Backend cached_backend() {
  return {.name = "cached",
          .can = {.automatic = true, .same_bits = true, .kept_bytes = cached_bytes},
          .make = [](const Kernel& kernel, const ConstBlock& x, const CovarianceOptions& options) {
            return build_cached(kernel, x, options);
          }};
}

}  // namespace ulisse
