#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>

#include "base/watch.h"
#include "ulisse/types.h"

// Dense products on all threads whose results do not depend on their number: the work is cut into
// pieces by size alone, and OpenBLAS does each piece with one thread.
namespace ulisse {

using FloatMatrix = Eigen::MatrixXf;
using ConstFloatBlock = Eigen::Ref<const FloatMatrix>;
using FloatBlock = Eigen::Ref<FloatMatrix>;

// Makes OpenBLAS use one thread in this process: two pools of threads would fight for the cores,
// and its own parallel versions sum in an order that depends on how many it has. Throws InputError
// where a limit on memory leaves too little for its buffers, which it would wait for. Cheap to call
// again, which every user of these functions does: the rest of the process may have changed it.
void use_one_blas_thread();

// Calls f(start, count) for pieces of `piece` out of 0, ..., size - 1, on all threads. The calling
// thread takes its share of them, and keeps watch: see base/watch.h.
template <class F>
void parallel_pieces(Index size, Index piece, const F& f) {
  tbb::parallel_for(Index(0), (size + piece - 1) / piece, [&](Index i) {
    keep_watch();
    f(i * piece, std::min(piece, size - i * piece));
  });
}

// c = beta c + alpha op(a) op(b), one piece of work for one thread; op is the transpose where asked
// for.
void gemm(bool transpose_a, bool transpose_b, double alpha, const ConstBlock& a,
          const ConstBlock& b, double beta, Block c);
void gemm(bool transpose_a, bool transpose_b, float alpha, const ConstFloatBlock& a,
          const ConstFloatBlock& b, float beta, FloatBlock c);

enum class Triangle { lower, upper };

// Overwrites one triangle of a with its Cholesky factor (L L' = a or R'R = a) and leaves the other.
// Returns 0, or the order of the first leading minor that is not positive. One thread.
Index cholesky(Triangle triangle, Block a);
Index cholesky(Triangle triangle, FloatBlock a);

// b = b op(t)^-1 and b = op(t)^-1 b for a triangular t. One thread.
void solve_right(Triangle triangle, bool transpose, const ConstBlock& t, Block b);
void solve_right(Triangle triangle, bool transpose, const ConstFloatBlock& t, FloatBlock b);
void solve_left(Triangle triangle, bool transpose, const ConstBlock& t, Block b);
void solve_left(Triangle triangle, bool transpose, const ConstFloatBlock& t, FloatBlock b);

// b = op(t)^-1 b for a lower triangular t and few columns: block by block, and what a block changes
// in all others on all threads. The time is that of a pass over t.
template <class T, class B>
void parallel_substitution(bool transpose, const T& t, B& b) {
  constexpr Index kBlock = 512;
  using Scalar = typename B::Scalar;
  const Index n = b.rows(), columns = b.cols(), blocks = (n + kBlock - 1) / kBlock;
  for (Index i = 0; i < blocks; ++i) {
    const Index start = (transpose ? blocks - 1 - i : i) * kBlock;
    const Index width = std::min(kBlock, n - start);
    solve_left(Triangle::lower, transpose, t.block(start, start, width, width),
               b.block(start, 0, width, columns));
    const auto own = b.block(start, 0, width, columns);
    const Index first = transpose ? 0 : start + width, others = transpose ? start : n - first;
    parallel_pieces(others, kBlock, [&](Index piece, Index count) {
      const Index row = first + piece;
      auto other = b.block(row, 0, count, columns);
      if (transpose) {
        gemm(true, false, Scalar(-1), t.block(start, row, width, count), own, Scalar(1), other);
      } else {
        gemm(false, false, Scalar(-1), t.block(row, start, count, width), own, Scalar(1), other);
      }
    });
  }
}

// b = op(t)^-1 b for a lower triangular t, pieces by columns of b where there are enough of them.
template <class T, class B>
void parallel_solve_left(bool transpose, const T& t, B& b) {
  constexpr Index kMaxColumns = 64, kMinRows = 4000;  // of a substitution by rows
  use_one_blas_thread();
  if (b.cols() < kMaxColumns && b.rows() >= kMinRows) return parallel_substitution(transpose, t, b);
  const Index columns = b.cols() < 512 ? 32 : 128;  // each piece packs all of t
  parallel_pieces(b.cols(), columns, [&](Index start, Index count) {
    solve_left(Triangle::lower, transpose, t, b.middleCols(start, count));
  });
}

// c = a' b, pieces by columns of a. (n, k), (n, m) -> (k, m)
void parallel_transposed_product(const ConstBlock& a, const ConstBlock& b, Block c);

// c = beta c + alpha a b, pieces by rows of a. (n, k), (k, m) -> (n, m)
void parallel_product(double alpha, const ConstBlock& a, const ConstBlock& b, double beta, Block c);

}  // namespace ulisse
