#include "predict/shares_of_variance.h"

namespace ulisse {

namespace {

// Beyond it pairs are too many.
constexpr Index kMostInputsOfPairs = 12;

}  // namespace

// Columns that are not varied are those of the same row in all samples.
SobolPoints::SobolPoints(const ConstBlock& table, const Indices& inputs, Index count, Rng& rng)
    : a(count, table.cols()), b(count, table.cols()) {
  for (Index i = 0; i < count; ++i) {
    a.row(i) = b.row(i) = table.row(rng.below(table.rows()));
    for (const Index k : inputs) {
      a(i, k) = table(rng.below(table.rows()), k);
      b(i, k) = table(rng.below(table.rows()), k);
    }
  }
}

Matrix SobolPoints::mixed(const Indices& columns) const {
  Matrix points = a;
  for (const Index k : columns) points.col(k) = b.col(k);
  return points;
}

// First order as the mean of f(B)(f(A_B^i) - f(A)), total as half of that of (f(A) - f(A_B^i))^2
// (Jansen 1999); the closed index of a pair as that of one input.
SharesOfVariance shares_of_variance(const PointFunction& f, const SobolPoints& points,
                                    const Indices& inputs) {
  const auto d = static_cast<Index>(inputs.size());
  Vector of_a = f(points.a), of_b = f(points.b);
  const double centre = 0.5 * (of_a.mean() + of_b.mean());  // lessens the estimates' noise
  of_a.array() -= centre;
  of_b.array() -= centre;
  const double variance =
      0.5 * (of_a.squaredNorm() + of_b.squaredNorm()) / static_cast<double>(of_a.size());
  const auto explained = [&](const Vector& of_mixed) {
    return of_b.cwiseProduct(of_mixed - of_a).mean() / variance;
  };
  SharesOfVariance shares{Vector::Zero(d), Vector::Zero(d), Matrix::Zero(d, d)};
  if (!(variance > 0)) return shares;
  for (Index i = 0; i < d; ++i) {
    const Vector of_mixed = f(points.mixed({inputs[static_cast<std::size_t>(i)]})).array() - centre;
    shares.first_order(i) = explained(of_mixed);
    shares.total(i) =
        0.5 * (of_a - of_mixed).squaredNorm() / static_cast<double>(of_a.size()) / variance;
  }
  if (d < 2 || d > kMostInputsOfPairs) return shares;
  for (Index i = 0; i < d; ++i) {
    for (Index j = i + 1; j < d; ++j) {
      const Vector of_mixed = f(points.mixed({inputs[static_cast<std::size_t>(i)],
                                              inputs[static_cast<std::size_t>(j)]}))
                                  .array() -
                              centre;
      shares.pairs(i, j) = explained(of_mixed) - shares.first_order(i) - shares.first_order(j);
    }
  }
  return shares;
}

}  // namespace ulisse
