#include "solve/neighbour_factor.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/blas.h"
#include "base/watch.h"

namespace ulisse {

namespace {

constexpr Index kPiece = 512;

// A row after its neighbours.
Indices with(std::span<const std::uint32_t> neighbours, Index place, const Indices& order) {
  Indices rows;
  for (const std::uint32_t other : neighbours) rows.push_back(order[other]);
  rows.push_back(order[static_cast<std::size_t>(place)]);
  return rows;
}

}  // namespace

NeighbourFactor::NeighbourFactor(const CovarianceOperator& k, const ConstBlock& l,
                                 std::shared_ptr<const NearestEarlier> near)
    : near_(std::move(near)),
      weights_(static_cast<std::size_t>(size() * near_->most)),
      variances_(size()) {
  find_weights(k, Rows(l));
  transpose();
}

// Given its neighbours, a row has the mean w'(neighbours) and the variance D: at least its noise,
// but for rounding.
void NeighbourFactor::find_weights(const CovarianceOperator& k, const Rows& l) {
  const Vector& noise = k.noise();
  WatchStep step;
  step.say([&] { return fmt::format("looking at {} neighbours of each row", near_->most); });
  parallel_pieces(size(), kPiece, [&](Index start, Index count) {
    for (Index place = start; place < start + count; ++place) {
      const Indices rows = with(near_->of(place), place, near_->order);
      const auto m = static_cast<Index>(rows.size());
      Matrix all(m, m);
      Indices each(rows.size());
      for (Index i = 0; i < m; ++i) each[static_cast<std::size_t>(i)] = i;
      k.kernel_among(rows)->columns(each, all);
      const Matrix factors = l(rows, Eigen::all);
      all.noalias() -= factors * factors.transpose();
      for (Index i = 0; i < m; ++i) all(i, i) += noise(rows[static_cast<std::size_t>(i)]);
      const double own_noise = noise(row(place));
      const Eigen::LLT<Matrix> of_neighbours(all.topLeftCorner(m - 1, m - 1));
      const bool usable = of_neighbours.info() == Eigen::Success;
      const Vector covariances = all.col(m - 1).head(m - 1);
      const Vector w = usable ? Vector(of_neighbours.solve(covariances)) : Vector::Zero(m - 1);
      std::copy(w.begin(), w.end(), weights_.begin() + place * near_->most);
      variances_(place) = std::max(own_noise, all(m - 1, m - 1) - w.dot(covariances));
    }
  });
}

void NeighbourFactor::transpose() {
  const auto n = static_cast<std::size_t>(size());
  first_use_.assign(n + 1, 0);
  for (Index place = 0; place < size(); ++place) {
    for (const std::uint32_t other : near_->of(place)) ++first_use_[other + 1];
  }
  for (std::size_t i = 0; i < n; ++i) first_use_[i + 1] += first_use_[i];
  uses_.resize(first_use_[n]);
  std::vector<std::uint32_t> next(first_use_.begin(), first_use_.end() - 1);
  for (Index place = 0; place < size(); ++place) {
    const auto neighbours = near_->of(place);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      uses_[next[neighbours[i]]++] =
          static_cast<std::uint32_t>(place * near_->most) + static_cast<std::uint32_t>(i);
    }
  }
}

// Row by row: each row of B x and of B' z is a short sum of rows that lie together.
void NeighbourFactor::apply(const ConstBlock& x, Block y) const {
  const Index columns = x.cols();
  Rows ordered(size(), columns), whitened(size(), columns);
  parallel_pieces(size(), kPiece, [&](Index start, Index count) {
    for (Index i = start; i < start + count; ++i) ordered.row(i) = x.row(row(i));
  });
  parallel_pieces(size(), kPiece, [&](Index start, Index count) {
    for (Index i = start; i < start + count; ++i) {
      auto sum = whitened.row(i);
      sum = ordered.row(i);
      const auto neighbours = near_->of(i);
      const double* w = weights(i);
      for (std::size_t j = 0; j < neighbours.size(); ++j) sum -= w[j] * ordered.row(neighbours[j]);
      sum /= variances_(i);
    }
  });
  parallel_pieces(size(), kPiece, [&](Index start, Index count) {
    for (Index i = start; i < start + count; ++i) {
      auto sum = ordered.row(i);
      sum = whitened.row(i);
      for (std::uint32_t u = first_use_[static_cast<std::size_t>(i)];
           u < first_use_[static_cast<std::size_t>(i) + 1]; ++u) {
        sum -= weights_[uses_[u]] * whitened.row(uses_[u] / near_->most);
      }
      y.row(row(i)) = sum;
    }
  });
}

double NeighbourFactor::log_determinant() const { return variances_.array().log().sum(); }

// B^-1 sqrt(D) e, from the first row to the last.
Matrix NeighbourFactor::sample(Index count, Rng& rng) const {
  Rows drawn(size(), count);
  for (Index c = 0; c < count; ++c) {
    drawn.col(c) = variances_.cwiseSqrt().cwiseProduct(rng.normal_vector(size()));
  }
  for (Index i = 0; i < size(); ++i) {
    const auto neighbours = near_->of(i);
    const double* w = weights(i);
    for (std::size_t j = 0; j < neighbours.size(); ++j) {
      drawn.row(i) += w[j] * drawn.row(neighbours[j]);
    }
  }
  Matrix result(size(), count);
  for (Index i = 0; i < size(); ++i) result.row(row(i)) = drawn.row(i);
  return result;
}

// Sums over pieces of rows, in their order: the same on any number of threads.
Vector NeighbourFactor::trace(const CovarianceOperator& k) const {
  const Index pieces = (size() + kPiece - 1) / kPiece;
  Matrix of_kernel(k.kernel().variance_slopes().size(), pieces);
  Vector of_diagonal(pieces);
  parallel_pieces(size(), kPiece, [&](Index start, Index count) {
    Vector forms = Vector::Zero(of_kernel.rows());
    double squares = 0;
    for (Index i = start; i < start + count; ++i) {
      const Indices rows = with(near_->of(i), i, near_->order);
      Vector b(static_cast<Index>(rows.size()));
      b.head(b.size() - 1) = -Eigen::Map<const Vector>(weights(i), b.size() - 1);
      b(b.size() - 1) = 1;
      b /= std::sqrt(variances_(i));
      forms += k.kernel_among(rows)->gradient_forms(b, b);
      squares += b.squaredNorm();
    }
    of_kernel.col(start / kPiece) = forms;
    of_diagonal(start / kPiece) = squares;
  });
  return k.slopes(of_kernel.rowwise().sum(), of_diagonal.sum());
}

}  // namespace ulisse
