#include "predict/neighbour_predictor.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/blas.h"

namespace ulisse {

namespace {

constexpr Index kFewest = 60, kMost = 480;

// Of the noise's variance; and where the function's own variances matter, of these.
constexpr double kMostError = 0.01, kMostErrorOfLatent = 0.02;

// With the first of the nearest rows only, and with all of them.
struct Explained {
  double by_half, by_all;
};

// Rows that are nearest come first, so that a factor has that of fewer in its corner.
Explained explained(const CovarianceOperator& k, const Indices& rows, const Vector& cross) {
  const auto m = static_cast<Index>(rows.size());
  Indices each(rows.size());
  for (Index j = 0; j < m; ++j) each[static_cast<std::size_t>(j)] = j;
  Matrix near(m, m);
  k.kernel_among(rows)->columns(each, near);
  near.diagonal() += k.noise()(rows);
  const Eigen::LLT<Matrix> factor(near);
  if (factor.info() != Eigen::Success) return {NAN, NAN};
  const Vector whitened = factor.matrixL().solve(cross);
  return {whitened.head(m / 2).squaredNorm(), whitened.squaredNorm()};
}

}  // namespace

NeighbourPredictor::NeighbourPredictor(const Model& model, const Matrix& x, const Vector& y,
                                       const PredictorOptions& options)
    : IterativePredictor(model, x, y, options),
      points_(options.points.rows() > 0 ? options.points : some_rows(x)) {}

// At all points where variances are compared for the first psi, and at two of them for others.
void NeighbourPredictor::condition(const ConstVector& psi) {
  IterativePredictor::condition(psi);
  rows_ = std::make_unique<const NearestRows>(k().scaled_points());
  const Index few = std::min<Index>(2, points_.rows());
  const bool first = psi_++ == 0;
  checked_ = (checked_ + few) % std::max<Index>(1, points_.rows() - few + 1);
  solves_ = !is_good_at(first ? points_ : Matrix(points_.middleRows(checked_, few)));
  if (solves_) ++solved_psi_;
}

double NeighbourPredictor::allowed(double variance) const {
  return options().latent ? kMostErrorOfLatent * variance : kMostError * k().noise().minCoeff();
}

Vector NeighbourPredictor::nearest_variances(const ConstBlock& new_x, const Matrix& cross) const {
  const Matrix places = k().scaled_points(new_x);
  const double prior = function().variance(everything());
  Vector variances(new_x.rows());
  parallel_pieces(new_x.rows(), 4, [&](Index start, Index points) {
    for (Index i = start; i < start + points; ++i) {
      variances(i) = NAN;
      for (Index count = kFewest; count <= kMost && std::isnan(variances(i)); count *= 2) {
        const Indices rows = rows_->of(places.row(i), count);
        const Explained by = explained(k(), rows, cross(rows, i));
        const double variance = std::max(0.0, prior - by.by_all);
        const bool all = rows.size() == static_cast<std::size_t>(rows_->size());
        if (all || by.by_all - by.by_half <= allowed(variance)) variances(i) = variance;
      }
    }
  });
  return variances;
}

bool NeighbourPredictor::is_good_at(const ConstBlock& points) {
  const Matrix cross = function().cross(points, everything());
  const Vector found = nearest_variances(points, cross);
  Matrix spread;
  function().mean(points, everything(), cross, spread);
  const Vector truth = IterativePredictor::moments(points, everything()).variance -
                       Vector(spread.colwise().squaredNorm().transpose());
  double error = 0;
  for (Index i = 0; i < found.size(); ++i) {
    if (std::isnan(found(i))) continue;  // it takes a solve
    if (!(std::abs(found(i) - truth(i)) <= allowed(truth(i)))) return false;
    error = std::max(error, std::abs(found(i) - truth(i)) / k().noise().minCoeff());
  }
  error_ = std::max(error_, error);
  return true;
}

Moments NeighbourPredictor::moments(const ConstBlock& new_x, const Component& part) const {
  const bool whole = part.trend && part.terms.size() == everything().terms.size();
  if (solves_ || !whole) return IterativePredictor::moments(new_x, part);
  const Matrix cross = function().cross(new_x, part);
  Matrix spread;
  Moments result{.mean = function().mean(new_x, part, cross, spread), .variance = Vector()};
  result.variance =
      nearest_variances(new_x, cross) + Vector(spread.colwise().squaredNorm().transpose());
  Indices left;
  for (Index i = 0; i < new_x.rows(); ++i) {
    if (std::isnan(result.variance(i))) left.push_back(i);
  }
  if (left.empty()) return result;
  result.variance(left) =
      IterativePredictor::moments(Matrix(new_x(left, Eigen::all)), part).variance;
  return result;
}

double NeighbourPredictor::variance_error() const {
  return solved_psi_ == psi_ ? IterativePredictor::variance_error() : error_;
}

std::string NeighbourPredictor::name() const {
  if (solved_psi_ == 0) return "neighbours";
  return solved_psi_ == psi_ ? IterativePredictor::name()
                             : "neighbours, and iterative where that is not enough";
}

}  // namespace ulisse
