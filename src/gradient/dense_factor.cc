#include "gradient/dense_factor.h"

#include "base/blas.h"

namespace ulisse {

namespace {

constexpr Index kBlock = 128;

}  // namespace

// Left-looking: each block column is brought up to date by one product with all earlier ones, which
// keeps the inner dimension long, then factorised.
Index parallel_cholesky(Block a) {
  use_one_blas_thread();
  const Index n = a.rows();
  for (Index start = 0; start < n; start += kBlock) {
    const Index width = std::min(kBlock, n - start), below = n - start;
    const ConstBlock pivot_row = a.block(start, 0, width, start);
    parallel_pieces(below, kBlock, [&](Index row, Index count) {
      gemm(false, true, -1, a.block(start + row, 0, count, start), pivot_row, 1,
           a.block(start + row, start, count, width));
    });
    const Index failed = cholesky(Triangle::lower, a.block(start, start, width, width));
    if (failed != 0) return start + failed;
    const ConstBlock diagonal = a.block(start, start, width, width);
    parallel_pieces(below - width, kBlock, [&](Index row, Index count) {
      solve_right(Triangle::lower, true, diagonal,
                  a.block(start + width + row, start, count, width));
    });
  }
  return 0;
}

// With X = l^-1, block column by block column, the inverse has the blocks X(i:, i)' X(i:, j), j <=
// i.
void parallel_inverse(Matrix& l, Matrix& x) {
  use_one_blas_thread();
  const Index n = l.rows();
  x.resize(n, n);
  parallel_pieces(n, kBlock, [&](Index start, Index width) {
    auto column = x.block(start, start, n - start, width);
    column.setZero();
    column.topRows(width).setIdentity();
    solve_left(Triangle::lower, false, l.bottomRightCorner(n - start, n - start), column);
  });
  const Index blocks = (n + kBlock - 1) / kBlock;
  tbb::parallel_for(Index(0), blocks * blocks, [&](Index task) {
    const Index i = task / blocks * kBlock, j = task % blocks * kBlock;
    if (j > i) return;
    const Index rows = std::min(kBlock, n - i), columns = std::min(kBlock, n - j);
    gemm(true, false, 1, x.block(i, i, n - i, rows), x.block(i, j, n - i, columns), 0,
         l.block(i, j, rows, columns));
  });
}

}  // namespace ulisse
