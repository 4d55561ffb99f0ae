#include "base/grid_product.h"

#include <algorithm>
#include <utility>

#include "base/blas.h"
#include "base/column_scales.h"

namespace ulisse {

GridProduct::GridProduct(Index n, std::vector<double> a_scales, std::vector<double> b_scales)
    : grid_(4 * static_cast<double>(std::max<Index>(n, 1)), n / kRows + 1),
      a_scales_(std::move(a_scales)),
      b_scales_(std::move(b_scales)),
      words_(Matrix::Zero(2 * static_cast<Index>(a_scales_.size()),
                          static_cast<Index>(b_scales_.size()))) {}

void GridProduct::add(const ConstBlock& a, const ConstBlock& b) {
  constexpr Index kColumns = 64;
  use_one_blas_thread();
  parallel_pieces(a.cols(), kColumns, [&](Index start, Index count) {
    Matrix partial(count, b.cols());
    for (Index first = 0; first < a.rows(); first += kRows) {
      const Index rows = std::min(kRows, a.rows() - first);
      gemm(true, false, 1, a.block(first, start, rows, count), b.middleRows(first, rows), 0,
           partial);
      add_block(start, partial);
    }
  });
}

void GridProduct::add_block(Index first, const ConstBlock& partial) {
  const Index half = words_.rows() / 2;
  for (Index c = 0; c < partial.cols(); ++c) {
    for (Index i = 0; i < partial.rows(); ++i) {
      const double scale = a_scales_[first + i] * b_scales_[c];
      const double scaled = scale == 0 ? partial(i, c) : partial(i, c) / scale;
      grid_.add(scaled, words_(first + i, c), words_(half + first + i, c));
    }
  }
}

Matrix GridProduct::result() const {
  const Index half = words_.rows() / 2;
  return Matrix::NullaryExpr(half, words_.cols(), [&](Index i, Index c) {
    const double scale = a_scales_[i] * b_scales_[c];
    const double sum = Grid::sum(words_(i, c), words_(half + i, c));
    return scale == 0 ? sum : scale * sum;
  });
}

Matrix grid_transposed_product(const ConstBlock& a, const std::vector<double>& a_scales,
                               const ConstBlock& b) {
  GridProduct product(a.rows(), a_scales, column_scales(b));
  product.add(a, b);
  return product.result();
}

}  // namespace ulisse
