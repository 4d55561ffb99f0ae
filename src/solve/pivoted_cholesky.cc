#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "base/blas.h"
#include "base/watch.h"
#include "ulisse/preconditioner.h"

namespace ulisse {

namespace {

// L grown column by column, and what is left of K's diagonal: diag(K - L L').
class PartialCholesky {
 public:
  PartialCholesky(const KernelOperator& k, Index rank)
      : k_(k), l_(k.size(), rank), left_(Vector::Constant(k.size(), k.variance())) {
    negligible_ = std::max(
        static_cast<double>(k.size()) * k.variance() * std::numeric_limits<double>::epsilon(),
        2 * k.error_bound());  // below it is noise of the backend, not K
  }

  Index columns() const { return columns_; }
  Index room() const { return l_.cols() - columns_; }
  void report_progress() const {
    keep_watch([&] {
      return fmt::format("column {} of at most {} of the preconditioner", columns_, l_.cols());
    });
  }
  const Vector& left() const { return left_; }
  bool is_negligible(double value) const { return !(value > negligible_); }

  // (K - L L') for the rows `rows` and columns `pivots`, without touching the rest of K.
  Matrix residual_block(const Indices& pivots) const {
    Matrix all(k_.size(), static_cast<Index>(pivots.size()));
    k_.columns(pivots, all);
    parallel_product(-1, l_.leftCols(columns_), l_rows(pivots).transpose(), 1, all);
    return all;
  }

  // Adds columns G C^-T, where G are the residual's columns at the pivots and C C' = G(pivots, :).
  void append(Matrix g, const Matrix& c) {
    const Index count = g.cols();
    parallel_pieces(g.rows(), 512, [&](Index start, Index rows) {
      solve_right(Triangle::lower, true, c, g.middleRows(start, rows));
    });
    left_ = (left_ - g.rowwise().squaredNorm()).cwiseMax(0);
    l_.middleCols(columns_, count) = g;
    columns_ += count;
  }

  void retire(Index pivot) { left_(pivot) = 0; }

  Matrix result() && {
    l_.conservativeResize(Eigen::NoChange, columns_);
    return std::move(l_);
  }

 private:
  Matrix l_rows(const Indices& rows) const {
    Matrix chosen(static_cast<Index>(rows.size()), columns_);
    for (Index i = 0; i < chosen.rows(); ++i) chosen.row(i) = l_.row(rows[i]).head(columns_);
    return chosen;
  }

  const KernelOperator& k_;
  Matrix l_;     // (n, rank), the first columns_ of them filled
  Vector left_;  // (n)
  Index columns_ = 0;
  double negligible_;
};

Matrix greedy(const KernelOperator& k, Index rank) {
  PartialCholesky partial(k, rank);
  while (partial.room() > 0) {
    partial.report_progress();
    Index pivot = 0;
    if (partial.is_negligible(partial.left().maxCoeff(&pivot))) break;
    Matrix g = partial.residual_block({pivot});
    const double diagonal = g(pivot, 0);
    if (partial.is_negligible(diagonal)) {
      partial.retire(pivot);  // what was left here was rounding
      continue;
    }
    partial.append(std::move(g), Matrix::Constant(1, 1, std::sqrt(diagonal)));
    partial.retire(pivot);
  }
  return std::move(partial).result();
}

// Draws `count` indices in proportion to `weights`, with replacement.
Indices draw(const Vector& weights, Index count, Rng& rng) {
  std::vector<double> sums(static_cast<std::size_t>(weights.size()));
  double total = 0;
  for (Index i = 0; i < weights.size(); ++i) sums[i] = total += weights(i);
  Indices drawn;
  for (Index i = 0; i < count; ++i) {
    const auto at = std::upper_bound(sums.begin(), sums.end(), rng.uniform() * total);
    drawn.push_back(std::min<Index>(at - sums.begin(), weights.size() - 1));
  }
  return drawn;
}

struct Accepted {
  Indices pivots;
  Matrix factor;  // lower; C C' = residual at the pivots
};

// Proposals drawn in proportion to `weights` at the start of the block are kept with probability
// (what is left there now) / (what was left then): the pivots that are kept have the law of drawing
// one at a time, and duplicates and near-duplicates within a block fall away by themselves.
// h: the residual at the proposals, (b, b).
Accepted accept(const Indices& proposals, Matrix h, const Vector& weights,
                const PartialCholesky& partial, Rng& rng) {
  const Index b = h.rows();
  std::vector<Index> kept;
  Matrix factor = Matrix::Zero(b, b);
  for (Index i = 0; i < b; ++i) {
    const double u = rng.uniform();
    if (u * weights(proposals[i]) >= h(i, i) || partial.is_negligible(h(i, i))) continue;
    const auto column = static_cast<Index>(kept.size());
    factor.col(column) = h.col(i) / std::sqrt(h(i, i));
    h.noalias() -= factor.col(column) * factor.col(column).transpose();
    kept.push_back(i);
  }
  Accepted result;
  const auto count = static_cast<Index>(kept.size());
  result.factor = Matrix::Zero(count, count);
  for (Index r = 0; r < count; ++r) {
    result.pivots.push_back(proposals[kept[r]]);
    result.factor.row(r).head(r + 1) = factor.row(kept[r]).head(r + 1);
  }
  return result;
}

Matrix rows_at(const Matrix& block, const Indices& rows) {
  Matrix chosen(static_cast<Index>(rows.size()), block.cols());
  for (Index i = 0; i < chosen.rows(); ++i) chosen.row(i) = block.row(rows[i]);
  return chosen;
}

Matrix columns_at(const Matrix& block, const Indices& proposals, const Indices& pivots) {
  Matrix chosen(block.rows(), static_cast<Index>(pivots.size()));
  for (Index c = 0; c < chosen.cols(); ++c) {
    const auto at = std::find(proposals.begin(), proposals.end(), pivots[c]);
    chosen.col(c) = block.col(at - proposals.begin());
  }
  return chosen;
}

Matrix random(const KernelOperator& k, Index rank, Rng rng) {
  PartialCholesky partial(k, rank);
  while (partial.room() > 0 && !partial.is_negligible(partial.left().maxCoeff())) {
    partial.report_progress();
    // Columns of K come 48 at a time; smaller blocks at the end, so as not to throw columns away.
    const Index block = std::min<Index>(48, partial.room());
    const Indices proposals = draw(partial.left(), block, rng);
    const Matrix g = partial.residual_block(proposals);
    const Accepted accepted =
        accept(proposals, rows_at(g, proposals), partial.left(), partial, rng);
    if (accepted.pivots.empty()) {
      for (const Index i : proposals) partial.retire(i);
      continue;
    }
    partial.append(columns_at(g, proposals, accepted.pivots), accepted.factor);
    for (const Index pivot : accepted.pivots) partial.retire(pivot);
  }
  return std::move(partial).result();
}

}  // namespace

Matrix pivoted_cholesky(const CovarianceOperator& k, const PivotedCholeskyOptions& options) {
  if (options.rank < 0)
    throw std::invalid_argument(fmt::format("a Cholesky factor of rank {}", options.rank));
  use_one_blas_thread();
  const Index rank = std::min(options.rank, k.size());
  Matrix of_kernel = options.pivoting == Pivoting::greedy
                         ? greedy(k.kernel(), rank)
                         : random(k.kernel(), rank, stream(options.seed, 0, Purpose::pivots));
  if (k.trend().cols() == 0) return of_kernel;
  Matrix l(k.size(), k.trend().cols() + of_kernel.cols());
  l << k.trend(), of_kernel;
  return l;
}

}  // namespace ulisse
