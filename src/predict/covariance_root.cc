#include "predict/covariance_root.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/blas.h"

namespace ulisse {

namespace {

// Variances below zero, as a fraction of the pivot that has made them so, which errors of the
// covariance explain and no covariance has. The last pivot is then about ten times the errors.
constexpr double kIndefinite = 0.1;

// Pivots below so much of the largest variance are rounding. It does not grow with the number of
// points: points far from the data would hide the small variances among the data.
constexpr double kRounding = 16 * std::numeric_limits<double>::epsilon();

// Pivots that are applied to the rest of the matrix together, by one product.
constexpr Index kPanel = 64;

// The factorisation in place: after k pivots the first k columns hold L below their diagonal, the
// rows in the order of pivots, and the rest is up to date with the panels that are finished.
class PivotedFactor {
 public:
  explicit PivotedFactor(Matrix a)
      : a_(std::move(a)),
        left_(a_.diagonal()),
        order_(static_cast<std::size_t>(a_.rows())),
        least_(kRounding * (left_.size() > 0 ? left_.maxCoeff() : 0)) {
    std::iota(order_.begin(), order_.end(), Index(0));
  }

  Matrix root() {
    while (add_panel()) update_rest();
    Matrix result = Matrix::Zero(a_.rows(), rank_);
    for (Index i = 0; i < a_.rows(); ++i) {
      const Index filled = std::min(i + 1, rank_);
      result.row(order_[static_cast<std::size_t>(i)]).head(filled) = a_.row(i).head(filled);
    }
    return result;
  }

 private:
  Index size() const { return a_.rows(); }

  // False when it was the last.
  bool add_panel() {
    panel_ = rank_;
    while (rank_ < size() && rank_ < panel_ + kPanel) {
      if (!add_pivot()) return false;
    }
    return rank_ < size();
  }

  bool add_pivot() {
    const Index k = rank_, below = size() - k - 1;
    Index largest = 0;
    const double pivot = left_.tail(below + 1).maxCoeff(&largest);
    if (!(pivot > least_)) return false;
    exchange(k, k + largest);
    const double length = std::sqrt(pivot);
    Vector column = a_.col(k).tail(below);
    column.noalias() -= a_.block(k + 1, panel_, below, k - panel_) *
                        a_.row(k).segment(panel_, k - panel_).transpose();
    column /= length;
    const Vector left = left_.tail(below) - column.cwiseAbs2();
    if (below > 0 && !(left.minCoeff() >= -kIndefinite * pivot)) return false;
    a_(k, k) = length;
    a_.col(k).tail(below) = column;
    left_.tail(below) = left;
    ++rank_;
    return true;
  }

  // Of row and column i with j > i, in the lower triangle.
  void exchange(Index i, Index j) {
    if (i == j) return;
    const Index between = j - i - 1, below = size() - j - 1;
    a_.row(i).head(i).swap(a_.row(j).head(i));
    a_.col(i).segment(i + 1, between).swap(a_.row(j).segment(i + 1, between).transpose());
    a_.col(i).tail(below).swap(a_.col(j).tail(below));
    std::swap(left_(i), left_(j));
    std::swap(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(j)]);
  }

  // The lower triangle below the panel, less what the panel explains.
  void update_rest() {
    use_one_blas_thread();
    const Index width = rank_ - panel_;
    parallel_pieces(size() - rank_, 128, [&](Index piece, Index count) {
      const Index start = rank_ + piece, below = size() - start;
      gemm(false, true, -1, a_.block(start, panel_, below, width),
           a_.block(start, panel_, count, width), 1, a_.block(start, start, below, count));
    });
  }

  Matrix a_;
  Vector left_;  // of each variance, in the order of pivots
  std::vector<Index> order_;
  double least_;  // a pivot that is rounding alone
  Index rank_ = 0, panel_ = 0;
};

}  // namespace

Matrix covariance_root(Matrix covariance) { return PivotedFactor(std::move(covariance)).root(); }

}  // namespace ulisse
