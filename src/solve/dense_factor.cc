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
template <class M>
void invert_triangle(M& l) {
  using T = typename M::Scalar;
  const Index n = l.rows(), block = block_for(n);
  M panel(n, block), corner(block, block);
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
      M sum(count, width);
      gemm(false, false, T(-1), l.block(row, below, count, piece),
           panel.block(below, 0, piece, width), T(0), sum);
      const M own = l.block(row, row, count, count).template triangularView<Eigen::Lower>();
      gemm(false, false, T(-1), own, panel.block(row, 0, count, width), T(1), sum);
      gemm(false, false, T(1), sum, diagonal, T(0), out);
    });
    l.block(start, start, width, width).template triangularView<Eigen::Lower>() = diagonal;
  }
}

// x'x for a lower triangular x, in its lower triangle. Block row i takes the rows from i on, so
// that from the top on each may be written over.
template <class M>
void square_triangle(M& x) {
  using T = typename M::Scalar;
  const Index n = x.rows(), block = block_for(n);
  M panel(block, n);
  for (Index start = 0; start < n; start += block) {
    const Index width = std::min(block, n - start), below = n - start - width;
    const double done = static_cast<double>(start) / static_cast<double>(n);
    tell_share("inverse", n, 0.5 + 0.5 * done * done * (3 - 2 * done));
    const M own = x.block(start, start, width, width).template triangularView<Eigen::Lower>();
    parallel_pieces(start + width, block, [&](Index column, Index count) {
      auto out = panel.block(0, column, width, count);
      if (column == start) {
        gemm(true, false, T(1), own, own, T(0), out);
      } else {
        gemm(true, false, T(1), own, x.block(start, column, width, count), T(0), out);
      }
      gemm(true, false, T(1), x.block(start + width, start, below, width),
           x.block(start + width, column, below, count), T(1), out);
    });
    x.block(start, 0, width, start) = panel.leftCols(start).topRows(width);
    x.block(start, start, width, width).template triangularView<Eigen::Lower>() =
        panel.block(0, start, width, width);
  }
}

// In place: a second matrix of this size would be the largest thing in memory.
template <class M>
void invert(M& l) {
  use_one_blas_thread();
  invert_triangle(l);
  square_triangle(l);
}

}  // namespace

void parallel_inverse(Matrix& l) { invert(l); }
void parallel_inverse(FloatMatrix& l) { invert(l); }

// Block row by block row: what stands left of and on the diagonal, and what stands below it,
// transposed.
void parallel_symmetric_product(const FloatMatrix& a, const ConstBlock& x, Block y) {
  use_one_blas_thread();
  const Index n = a.rows(), columns = x.cols(), block = 512;
  const FloatMatrix right = x.cast<float>();
  parallel_pieces(n, block, [&](Index start, Index width) {
    const Index below = start + width;
    const FloatMatrix own = a.block(start, start, width, width).selfadjointView<Eigen::Lower>();
    FloatMatrix sum(width, columns);
    gemm(false, false, 1.0F, own, right.middleRows(start, width), 0.0F, sum);
    gemm(false, false, 1.0F, a.block(start, 0, width, start), right.topRows(start), 1.0F, sum);
    gemm(true, false, 1.0F, a.block(below, start, n - below, width), right.bottomRows(n - below),
         1.0F, sum);
    y.middleRows(start, width) = sum.cast<double>();
  });
}

}  // namespace ulisse
