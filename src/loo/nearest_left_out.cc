#include "loo/nearest_left_out.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/blas.h"
#include "predict/require_solution.h"
#include "solve/nearest_rows.h"
#include "ulisse/exact.h"

namespace ulisse {

namespace {

constexpr Index kFewest = 30, kMost = 480;

// Of a variance, that the farther half of the nearest rows may explain.
constexpr double kMostChange = 0.005;

constexpr Index kChecked = 8;  // rows for each psi

// Of the last of some rows given those before it, and given the first half of these.
struct Given {
  double half, all;
};

Given last_given_others(const CovarianceOperator& k, const Indices& rows) {
  const auto m = static_cast<Index>(rows.size());
  Indices each(rows.size());
  for (Index j = 0; j < m; ++j) each[static_cast<std::size_t>(j)] = j;
  Matrix among(m, m);
  k.kernel_among(rows)->columns(each, among);
  among.diagonal() += k.noise()(rows);
  const double own = among(m - 1, m - 1);
  const Eigen::LLT<Matrix> factor(among);
  if (factor.info() != Eigen::Success) return {NAN, NAN};
  const Matrix& l = factor.matrixLLT();
  return {own - l.row(m - 1).head((m - 1) / 2).squaredNorm(), l(m - 1, m - 1) * l(m - 1, m - 1)};
}

// The nearest others, and the row itself behind them.
Indices others_and(Index row, Indices nearest) {
  const auto own = std::find(nearest.begin(), nearest.end(), row);
  nearest.erase(own == nearest.end() ? nearest.end() - 1 : own);
  nearest.push_back(row);
  return nearest;
}

// Rows at few places say the same again and again, so that the farther half changes nothing where
// other places would. Equal rows are neighbours in `rows`, which go by distance.
bool are_many_places(const Matrix& places, const Indices& rows) {
  std::size_t count = 1;
  for (std::size_t j = 1; j < rows.size(); ++j) {
    if (places.row(rows[j]) != places.row(rows[j - 1])) ++count;
  }
  return 2 * count >= rows.size();
}

double log_density(double y, double mean, double variance) {
  return -0.5 * (std::log(variance) + (y - mean) * (y - mean) / variance);
}

}  // namespace

NearestLeftOut::NearestLeftOut(const SavedFit& fit, const LooOptions& options)
    : IterativePredictor(fit.model, fit.data.x, fit.data.y,
                         {.memory = options.memory, .rank = options.rank, .seed = options.seed}),
      y_(fit.data.y),
      seed_(options.seed) {}

LeftOut NearestLeftOut::given(const Vector& psi) {
  condition(psi);
  const Vector diagonal = nearest_variances().cwiseInverse();
  const LeftOut found = left_out_by(y_, diagonal, function());
  compare(found, diagonal);
  ++psi_;
  return found;
}

Vector NearestLeftOut::nearest_variances() const {
  const Matrix places = k().scaled_points();
  const NearestRows nearest(places);
  const Index n = places.rows();
  Vector variances(n);
  parallel_pieces(n, 16, [&](Index start, Index rows) {
    for (Index i = start; i < start + rows; ++i) {
      variances(i) = k().noise()(i) + function().variance(everything());
      for (Index count = kFewest; count <= kMost; count *= 2) {
        const Indices taken = others_and(i, nearest.of(places.row(i), count + 1));
        const Given by = last_given_others(k(), taken);
        if (std::isnan(by.all)) break;
        variances(i) = by.all;
        if (static_cast<Index>(taken.size()) == n) break;
        if (are_many_places(places, taken) && by.half - by.all <= kMostChange * by.all) break;
      }
    }
  });
  return variances;
}

Vector NearestLeftOut::solved_diagonal(const Indices& rows) const {
  const auto count = static_cast<Index>(rows.size());
  Matrix unit = Matrix::Zero(y_.size(), count), solution = unit;
  for (Index j = 0; j < count; ++j) unit(rows[static_cast<std::size_t>(j)], j) = 1;
  require_solution(conjugate_gradients(k(), &preconditioner(), unit, solution,
                                       {.tolerance = 0, .relative_tolerance = 1e-6}));
  Vector diagonal(count);
  for (Index j = 0; j < count; ++j) diagonal(j) = solution(rows[static_cast<std::size_t>(j)], j);
  return diagonal;
}

void NearestLeftOut::compare(const LeftOut& found, const Vector& inverse_diagonal) {
  const auto draw = static_cast<std::uint64_t>(psi_);
  const Indices rows = random_subset(y_.size(), kChecked, seed_ + draw);
  Vector diagonal = inverse_diagonal;
  diagonal(rows) = solved_diagonal(rows);
  const LeftOut exact = left_out_by(y_, diagonal, function());
  for (const Index i : rows) {
    errors_.push_back(log_density(y_(i), found.mean(i), found.variance(i)) -
                      log_density(y_(i), exact.mean(i), exact.variance(i)));
  }
}

// Their mean and twice its standard error, times the number of rows.
double NearestLeftOut::elpd_error() const {
  const Eigen::Map<const Vector> errors(errors_.data(), static_cast<Index>(errors_.size()));
  const auto count = static_cast<double>(errors.size());
  if (count < 2) return NAN;
  const double mean = errors.mean();
  const double sd = std::sqrt((errors.array() - mean).square().sum() / (count - 1));
  return static_cast<double>(y_.size()) * (std::abs(mean) + 2 * sd / std::sqrt(count));
}

}  // namespace ulisse
