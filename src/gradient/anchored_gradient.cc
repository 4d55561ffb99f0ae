#include "gradient/anchored_gradient.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gradient/column_mean.h"

namespace ulisse {

namespace {

// `count` of 0, ..., bank - 1 without repetition.
Indices choose(Index bank, Index count, Rng& rng) {
  Indices all(static_cast<std::size_t>(bank));
  std::iota(all.begin(), all.end(), Index(0));
  for (Index i = 0; i < count; ++i) std::swap(all[i], all[i + rng.below(bank - i)]);
  all.resize(static_cast<std::size_t>(count));
  return all;
}

// Columns of right sides and solutions: y's, then those of the probes.
Indices with_y(const Indices& probes) {
  Indices columns{0};
  for (const Index p : probes) columns.push_back(1 + p);
  return columns;
}

}  // namespace

AnchoredGradient::AnchoredGradient(const Model& model, const Covariance& covariance,
                                   const Anchor& anchor, AnchoredGradientOptions options)
    : model_(model), covariance_(covariance), anchor_(anchor), options_(std::move(options)) {
  if (options_.probes < 1 || options_.probes > anchor.bank() || options_.y_pairs < 1) {
    throw std::invalid_argument("an anchored gradient wants probes that the bank has");
  }
}

GradientEstimate AnchoredGradient::estimate(const ConstVector& psi, Rng& rng) const {
  const Indices probes = choose(anchor_.bank(), options_.probes, rng);
  const Indices columns = with_y(probes);
  const auto k = covariance_.at(psi);
  const Matrix b = anchor_.right_sides(Eigen::all, columns);
  Matrix x = anchor_.starting_points(psi, columns);
  GradientEstimate result;
  if (!options_.rule) {
    result.solves.solve = conjugate_gradients(*k, anchor_.preconditioner.get(), b, x, options_.cg);
    Matrix estimates(x.rows(), x.cols() + 1);
    estimates << x.col(0), x;
    GradientEstimate g = gradient_from(*k, psi, estimates, 1, probes);
    g.solves = std::move(result.solves);
    return g;
  }
  std::vector<int> count(columns.size(), 1);
  count[0] = 2 * options_.y_pairs;
  UnbiasedSummary summary;
  const double early_stop = options_.q * std::sqrt(static_cast<double>(b.rows()));
  const Matrix estimates =
      unbiased_solve(*k, anchor_.preconditioner.get(), b, x, count,
                     {early_stop, options_.rule.get(), options_.cg}, rng, summary);
  result = gradient_from(*k, psi, estimates, options_.y_pairs, probes);
  result.solves = std::move(summary);
  return result;
}

GradientEstimate AnchoredGradient::tight(const ConstVector& psi) const {
  Matrix solutions;
  return tight(psi, solutions);
}

GradientEstimate AnchoredGradient::tight(const ConstVector& psi, Matrix& solutions) const {
  Indices probes(static_cast<std::size_t>(anchor_.bank()));
  std::iota(probes.begin(), probes.end(), Index(0));
  const auto k = covariance_.at(psi);
  solutions = anchor_.starting_points(psi, with_y(probes));
  UnbiasedSummary summary;
  summary.solve = conjugate_gradients(*k, anchor_.preconditioner.get(), anchor_.right_sides,
                                      solutions, options_.cg);
  Matrix estimates(solutions.rows(), solutions.cols() + 1);
  estimates << solutions.col(0), solutions;
  GradientEstimate result = gradient_from(*k, psi, estimates, 1, probes);
  result.solves = std::move(summary);
  return result;
}

// estimates: two for each pair of y's, then one for each probe.
GradientEstimate AnchoredGradient::gradient_from(const CovarianceOperator& k,
                                                 const ConstVector& psi, const Matrix& estimates,
                                                 Index pairs, const Indices& probes) const {
  const auto count = static_cast<Index>(probes.size());
  Matrix u(estimates.rows(), pairs + count), v(estimates.rows(), pairs + count);
  u << estimates.leftCols(pairs), estimates.rightCols(count);
  v << estimates.middleCols(pairs, pairs), anchor_.probe_weights(Eigen::all, probes);
  const Matrix forms = 0.5 * k.gradient_forms_by_column(u, v);
  const Matrix fits = forms.leftCols(pairs);
  const Matrix changes = forms.rightCols(count) - anchor_.probe_traces(Eigen::all, probes);
  GradientEstimate result;
  result.gradient = fits.rowwise().mean() - changes.rowwise().mean() - anchor_.trace +
                    model_.log_prior(psi).gradient;
  result.covariance = covariance_of_mean(fits) + covariance_of_mean(changes);
  return result;
}

}  // namespace ulisse
