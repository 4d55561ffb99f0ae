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
  if (options_.probes < 1 || options_.probes > anchor.bank()) {
    throw std::invalid_argument("an anchored gradient wants probes that the bank has");
  }
}

AnchoredGradient::Operators AnchoredGradient::operators_at(const ConstVector& psi) const {
  return {covariance_.at(psi), options_.fast ? options_.fast->at(psi) : nullptr};
}

CgOptions AnchoredGradient::cg_for(const Operators& k) const {
  CgOptions cg = options_.cg;
  if (!k.fast) return cg;
  cg.exact = k.precise.get();
  cg.check_drop = 1e-4;  // what products in float are good for
  return cg;
}

GradientEstimate AnchoredGradient::estimate(const ConstVector& psi, Rng& rng) const {
  AnchoredEstimate estimate = estimate_in_parts(psi, rng);
  return std::move(static_cast<GradientEstimate&>(estimate));  // the parts are left behind
}

AnchoredEstimate AnchoredGradient::estimate_in_parts(const ConstVector& psi, Rng& rng) const {
  const Indices probes = choose(anchor_.bank(), options_.probes, rng);
  const Indices columns = with_y(probes);
  const Operators k = operators_at(psi);
  const Matrix b = anchor_.right_sides(Eigen::all, columns);
  Matrix x = anchor_.starting_points(psi, columns);
  AnchoredEstimate result;
  UnbiasedSummary summary;
  if (options_.rule) {
    const std::vector<int> four(columns.size(), 4);
    const double early_stop = options_.q * std::sqrt(static_cast<double>(b.rows()));
    const Matrix estimates = unbiased_solve(k.working(), anchor_.preconditioner.get(), b, x, four,
                                            {.early_stop = early_stop,
                                             .rule = options_.rule.get(),
                                             .cg = cg_for(k),
                                             .common_draws = true},
                                            rng, summary);
    const auto every_fourth = [&](Index first) {
      return Matrix(estimates(Eigen::all, Eigen::seqN(first, b.cols(), 4)));
    };
    result = gradient_from(k.working(), psi,
                           {{every_fourth(0), every_fourth(1)}, {every_fourth(2), every_fourth(3)}},
                           probes);
  } else {
    summary.solve = conjugate_gradients(k.working(), anchor_.preconditioner.get(), b, x, cg_for(k));
    result = gradient_from(k.working(), psi, {{x, x}}, probes);
  }
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
  const Operators k = operators_at(psi);
  solutions = anchor_.starting_points(psi, with_y(probes));
  UnbiasedSummary summary;
  summary.solve = conjugate_gradients(k.working(), anchor_.preconditioner.get(),
                                      anchor_.right_sides, solutions, cg_for(k));
  AnchoredEstimate result = gradient_from(k.working(), psi, {{solutions, solutions}}, probes, true);
  result.solves = std::move(summary);
  return std::move(static_cast<GradientEstimate&>(result));  // the parts are left behind
}

AnchoredEstimate AnchoredGradient::gradient_from(const CovarianceOperator& k,
                                                 const ConstVector& psi,
                                                 const std::vector<SolutionPair>& pairs,
                                                 const Indices& probes, bool whole_bank) const {
  const auto count = static_cast<Index>(probes.size());
  const auto groups = static_cast<Index>(pairs.size());
  const Matrix weights = anchor_.probe_weights(Eigen::all, probes);
  Matrix u(weights.rows(), groups * (1 + count)), v(u.rows(), u.cols());
  for (Index g = 0; g < groups; ++g) {
    const auto& [left, right] = pairs[g];
    u.middleCols(g * (1 + count), 1 + count) << left.col(0), 0.5 * (left + right).rightCols(count);
    v.middleCols(g * (1 + count), 1 + count) << right.col(0), weights;
  }
  const Matrix forms = 0.5 * k.gradient_forms_by_column(u, v);
  Matrix changes = Matrix::Zero(psi.size(), count), differences = changes;
  Matrix without_anchor(psi.size(), groups);
  for (Index g = 0; g < groups; ++g) {
    const Matrix traces = forms.middleCols(g * (1 + count) + 1, count);
    without_anchor.col(g) = forms.col(g * (1 + count)) - traces.rowwise().mean();
    changes += (traces - anchor_.probe_traces(Eigen::all, probes)) / static_cast<double>(groups);
    if (groups == 2) differences += (g == 0 ? 0.5 : -0.5) * traces;
  }
  const Matrix anchored = anchor_.probe_traces(Eigen::all, probes);
  AnchoredEstimate result;
  result.gradient = without_anchor.rowwise().mean() + anchored.rowwise().mean() - anchor_.trace +
                    model_.log_prior(psi).gradient;
  // Drawn without repetition, few of a bank spread around its mean by so much less. Asked for the
  // whole bank, it is the error of its mean that is told.
  const double share = static_cast<double>(count) / static_cast<double>(anchor_.bank());
  const double spread = whole_bank ? 1 : 1 - share;
  // What cutting does to each probe apart from the others is in both spreads; once is enough.
  const Matrix twice = covariance_of_mean(differences);
  result.parts = {.cutting = covariance_of_mean(without_anchor),
                  .probes = spread * (covariance_of_mean(changes) - twice),
                  .probes_alone = covariance_of_mean(changes + anchored) - twice};
  result.covariance = result.parts.cutting + result.parts.probes;
  return result;
}

}  // namespace ulisse
