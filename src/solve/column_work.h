#pragma once

#include "base/blas.h"
#include "ulisse/types.h"

// Vector work on blocks of columns, on all threads where there are many rows. Rows are cut by size
// alone, and sums over pieces are added in their order, so that they have the same bits on any
// number of threads.
namespace ulisse {

// Calls f(first, count, column) for pieces of the rows of each column. For each column the sum of
// what f returns.
template <class F>
Vector sum_by_column(Index rows, Index columns, const F& f) {
  constexpr Index kPiece = 16'384, kFewestRows = 65'536;
  Vector sums(columns);
  if (rows < kFewestRows) {  // as one piece, which takes no longer than starting threads
    for (Index c = 0; c < columns; ++c) sums(c) = f(Index(0), rows, c);
    return sums;
  }
  Matrix parts(columns, (rows + kPiece - 1) / kPiece);
  parallel_pieces(rows, kPiece, [&](Index first, Index count) {
    for (Index c = 0; c < columns; ++c) parts(c, first / kPiece) = f(first, count, c);
  });
  sums = parts.col(0);
  for (Index i = 1; i < parts.cols(); ++i) sums += parts.col(i);
  return sums;
}

// a_c'b_c for each column c.
template <class A, class B>
Vector column_dots(const A& a, const B& b) {
  return sum_by_column(a.rows(), a.cols(), [&](Index first, Index count, Index c) {
    return a.col(c).segment(first, count).dot(b.col(c).segment(first, count));
  });
}

}  // namespace ulisse
