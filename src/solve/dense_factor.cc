#include "solve/dense_factor.h"

#include <fmt/format.h>

#include "base/blas.h"
#include "base/watch.h"

namespace ulisse {

namespace {

// Small matrices need many pieces for all threads; in large ones BLAS spends a third of its time on
// packing blocks of 128. It depends on n alone, since it fixes the order of summation.
Index block_for(Index n) { return n < 4000 ? 128 : n < 10'000 ? 256 : 512; }

// "Cholesky factor, 40 %", of the arithmetic; where it takes seconds.
void tell_share(const char* what, Index n, double share) {
  constexpr Index kRowsOfSeconds = 4000;
  if (n < kRowsOfSeconds) return;
  keep_watch([&] { return fmt::format("{}, {:.0f} %", what, 100 * share); });
}

// Left-looking: each block column is brought up to date by one product with all earlier ones, which
// keeps the inner dimension long, then factorised.
template <class T>
Index factorise(Eigen::Ref<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> a) {
  using View = Eigen::Ref<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>;
  use_one_blas_thread();
  const Index n = a.rows(), block = block_for(n);
  for (Index start = 0; start < n; start += block) {
    const Index width = std::min(block, n - start), below = n - start;
    const double done = static_cast<double>(start) / static_cast<double>(n);
    tell_share("Cholesky factor", n, done * done * (3 - 2 * done));
    const View pivot_row = a.block(start, 0, width, start);
    parallel_pieces(below, block, [&](Index row, Index count) {
      gemm(false, true, T(-1), a.block(start + row, 0, count, start), pivot_row, T(1),
           a.block(start + row, start, count, width));
    });
    const Index failed = cholesky(Triangle::lower, a.block(start, start, width, width));
    if (failed != 0) return start + failed;
    const View diagonal = a.block(start, start, width, width);
    parallel_pieces(below - width, block, [&](Index row, Index count) {
      solve_right(Triangle::lower, true, diagonal,
                  a.block(start + width + row, start, count, width));
    });
  }
  return 0;
}

}  // namespace

Index parallel_cholesky(Block a) { return factorise<double>(a); }
Index parallel_cholesky(FloatBlock a) { return factorise<float>(a); }

namespace {

// The block column of l^-1 below and on its diagonal block, from right to left: with D the diagonal
// block and B what stands below it, they become D^-1 and -X B D^-1, X the inverse of what stands to
// the right, which is there already.
void invert_triangle(Matrix& l) {
  const Index n = l.rows(), block = block_for(n);
  Matrix panel(n, block), corner(block, block);
  for (Index start = (n - 1) / block * block; start >= 0; start -= block) {
    const Index width = std::min(block, n - start), below = start + width;
    const double done = static_cast<double>(n - below) / static_cast<double>(n);
    tell_share("inverse", n, 0.5 * done * done * done);
    auto diagonal = corner.topLeftCorner(width, width);
    diagonal.setIdentity();
    solve_left(Triangle::lower, false, l.block(start, start, width, width), diagonal);
    panel.block(below, 0, n - below, width) = l.block(below, start, n - below, width);
    parallel_pieces(n - below, block, [&](Index piece, Index count) {
      const Index row = below + piece;
      auto out = l.block(row, start, count, width);
      Matrix sum(count, width);
      gemm(false, false, -1, l.block(row, below, count, piece), panel.block(below, 0, piece, width),
           0, sum);
      Matrix own = l.block(row, row, count, count).triangularView<Eigen::Lower>();
      gemm(false, false, -1, own, panel.block(row, 0, count, width), 1, sum);
      gemm(false, false, 1, sum, diagonal, 0, out);
    });
    l.block(start, start, width, width).triangularView<Eigen::Lower>() = diagonal;
  }
}

// x'x for a lower triangular x, in its lower triangle. Block row i takes the rows from i on, so
// that from the top on each may be written over.
void square_triangle(Matrix& x) {
  const Index n = x.rows(), block = block_for(n);
  Matrix panel(block, n);
  for (Index start = 0; start < n; start += block) {
    const Index width = std::min(block, n - start), below = n - start - width;
    const double done = static_cast<double>(start) / static_cast<double>(n);
    tell_share("inverse", n, 0.5 + 0.5 * done * done * (3 - 2 * done));
    const Matrix own = Matrix(x.block(start, start, width, width).triangularView<Eigen::Lower>());
    parallel_pieces(start + width, block, [&](Index column, Index count) {
      auto out = panel.block(0, column, width, count);
      if (column == start) {
        gemm(true, false, 1, own, own, 0, out);
      } else {
        gemm(true, false, 1, own, x.block(start, column, width, count), 0, out);
      }
      gemm(true, false, 1, x.block(start + width, start, below, width),
           x.block(start + width, column, below, count), 1, out);
    });
    x.block(start, 0, width, start) = panel.leftCols(start).topRows(width);
    x.block(start, start, width, width).triangularView<Eigen::Lower>() =
        panel.block(0, start, width, width);
  }
}

}  // namespace

// In place: a second matrix of this size would be the largest thing in memory.
void parallel_inverse(Matrix& l) {
  use_one_blas_thread();
  invert_triangle(l);
  square_triangle(l);
}

}  // namespace ulisse
