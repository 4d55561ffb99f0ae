#include "predict/neighbour_predictor.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "base/blas.h"

namespace ulisse {

namespace {

constexpr Index kFewest = 50, kMost = 400;

// Of the noise's variance; and where the function's own variances matter, of these.
constexpr double kMostError = 0.01, kMostErrorOfLatent = 0.02;

}  // namespace

NeighbourPredictor::NeighbourPredictor(const Model& model, const Matrix& x, const Vector& y,
                                       const PredictorOptions& options)
    : IterativePredictor(model, x, y, options),
      points_(options.points.rows() > 0 ? options.points : some_rows(x)) {}

void NeighbourPredictor::condition(const ConstVector& psi) {
  IterativePredictor::condition(psi);
  if (solves_) return;
  rows_ = std::make_unique<const NearestRows>(k().scaled_points());
  if (count_ == 0) {
    choose_count();
  } else {
    check_again();
  }
}

Vector NeighbourPredictor::nearest_variances(const ConstBlock& new_x, const Component& part,
                                             const Matrix& cross, Index count) const {
  const Matrix places = k().scaled_points(new_x);
  const Vector& noise = k().noise();
  Vector variances(new_x.rows());
  parallel_pieces(new_x.rows(), 4, [&](Index start, Index points) {
    for (Index i = start; i < start + points; ++i) {
      const Indices rows = rows_->of(places.row(i), count);
      const auto m = static_cast<Index>(rows.size());
      Indices each(rows.size());
      for (Index j = 0; j < m; ++j) each[static_cast<std::size_t>(j)] = j;
      Matrix near(m, m);
      k().kernel_among(rows)->columns(each, near);
      near.diagonal() += noise(rows);
      const Vector explained = near.llt().matrixL().solve(Vector(cross(rows, i)));
      variances(i) = std::max(0.0, function().variance(part) - explained.squaredNorm());
    }
  });
  return variances;
}

double NeighbourPredictor::excess(const ConstBlock& points, const Vector& truth, Index count) {
  const Matrix cross = function().cross(points, everything());
  Matrix spread;
  function().mean(points, everything(), cross, spread);
  const Vector of_trend = spread.colwise().squaredNorm().transpose();
  const Vector found = nearest_variances(points, everything(), cross, count) + of_trend;
  const double noise = k().noise().minCoeff();
  double most = 0;
  for (Index i = 0; i < found.size(); ++i) {
    const double error = found(i) - truth(i);
    const double allowed = options().latent ? kMostErrorOfLatent * truth(i) : kMostError * noise;
    most = std::max(most, error / allowed);
    error_ = std::max(error_, error / noise);
  }
  return most;
}

void NeighbourPredictor::choose_count() {
  const Vector truth = IterativePredictor::moments(points_, everything()).variance;
  for (Index count = kFewest; count <= std::min(kMost, rows_->size()); count *= 2) {
    error_ = 0;
    if (!(excess(points_, truth, count) <= 0.5)) continue;  // other psi may need more
    count_ = count;
    return;
  }
  solves_ = true;
}

// At two of the points, others each time: they take a solve each.
void NeighbourPredictor::check_again() {
  const Index few = std::min<Index>(2, points_.rows());
  checked_ = (checked_ + few) % std::max<Index>(1, points_.rows() - few + 1);
  const Matrix some = points_.middleRows(checked_, few);
  const Vector truth = IterativePredictor::moments(some, everything()).variance;
  if (!(excess(some, truth, count_) <= 1)) choose_count();
}

Moments NeighbourPredictor::moments(const ConstBlock& new_x, const Component& part) const {
  if (solves_) return IterativePredictor::moments(new_x, part);
  const Matrix cross = function().cross(new_x, part);
  Matrix spread;
  Moments result{.mean = function().mean(new_x, part, cross, spread), .variance = Vector()};
  result.variance =
      nearest_variances(new_x, part, cross, count_) + spread.colwise().squaredNorm().transpose();
  return result;
}

double NeighbourPredictor::variance_error() const {
  return solves_ ? IterativePredictor::variance_error() : error_;
}

std::string NeighbourPredictor::name() const {
  return solves_ ? IterativePredictor::name() : "neighbours";
}

}  // namespace ulisse
