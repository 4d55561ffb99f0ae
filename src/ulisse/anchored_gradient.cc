#include "ulisse/anchored_gradient.h"

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "posterior/column_mean.h"
#include "ulisse/fast_solves.h"

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

void add_solves(SolveSummary& these, const SolveSummary& others) {
  these.products += others.products;
  these.exact_products += others.exact_products;
  these.columns.insert(these.columns.end(), others.columns.begin(), others.columns.end());
}

AnchoredGradient::AnchoredGradient(const Model& model, const WorkingCovariance& covariance,
                                   const Anchor& anchor, AnchoredGradientOptions options)
    : model_(model), covariance_(covariance), anchor_(anchor), options_(std::move(options)) {
  if (options_.probes < 1 || (!options_.fresh && options_.probes > anchor.bank())) {
    throw std::invalid_argument("an anchored gradient wants probes that the bank has");
  }
  if (options_.fresh) at_anchor_ = covariance_.at(anchor.psi);
}

const CovarianceOperator& AnchoredGradient::of_forms(const WorkingOperator& k) const {
  return options_.careful ? *k.precise : k.working();
}

AnchoredGradient::Probes AnchoredGradient::of_the_bank(const ConstVector& psi,
                                                       const Indices& chosen) const {
  const Indices columns = with_y(chosen);
  const double share = static_cast<double>(chosen.size()) / static_cast<double>(anchor_.bank());
  return {.right_sides = anchor_.right_sides(Eigen::all, columns),
          .starts = anchor_.starting_points(psi, columns),
          .weights = anchor_.probe_weights(Eigen::all, chosen),
          .traces = anchor_.probe_traces(Eigen::all, chosen),
          .spread = 1 - share,
          .fresh_traces = {},
          .solves = {}};
}

AnchoredGradient::Probes AnchoredGradient::fresh_ones(const ConstVector& psi, Rng& rng,
                                                      bool with_traces) const {
  const Matrix z = anchor_.preconditioner->sample(options_.probes, rng);
  Probes p;
  p.weights.resizeLike(z);
  anchor_.preconditioner->apply(z, p.weights);
  Matrix solutions = p.weights;
  p.solves = conjugate_gradients(at_anchor_.working(), anchor_.preconditioner.get(), z, solutions,
                                 at_anchor_.cg(options_.cg_at_anchor));
  if (with_traces) {
    FreshTraces fresh =
        ulisse::fresh_traces(anchor_, of_forms(at_anchor_), solutions, p.weights, p.solves);
    p.traces = std::move(fresh.by_probe);
    p.fresh_traces = std::move(fresh.values);
  } else {
    p.traces = trace_forms(of_forms(at_anchor_), solutions, p.weights);
  }
  p.right_sides.resize(z.rows(), 1 + z.cols());
  p.right_sides << anchor_.right_sides.col(0), z;
  p.starts.resizeLike(p.right_sides);
  p.starts << anchor_.starting_points(psi, {0}), solutions;
  return p;
}

GradientEstimate AnchoredGradient::estimate(const ConstVector& psi, Rng& rng) const {
  AnchoredEstimate estimate = estimate_in_parts(psi, rng);
  return std::move(static_cast<GradientEstimate&>(estimate));  // the parts are left behind
}

AnchoredEstimate AnchoredGradient::estimate_in_parts(const ConstVector& psi, Rng& rng,
                                                     bool with_traces) const {
  Probes probes = options_.fresh ? fresh_ones(psi, rng, with_traces)
                                 : of_the_bank(psi, choose(anchor_.bank(), options_.probes, rng));
  const WorkingOperator k = covariance_.at(psi);
  const Matrix& b = probes.right_sides;
  Matrix x = probes.starts;
  AnchoredEstimate result;
  UnbiasedSummary summary;
  if (options_.rule) {
    const std::vector<int> four(static_cast<std::size_t>(b.cols()), 4);
    const double early_stop = options_.q * b.col(0).norm();  // of y, as everything scales with it
    const Matrix estimates = unbiased_solve(k.working(), anchor_.preconditioner.get(), b, x, four,
                                            {.early_stop = early_stop,
                                             .rule = options_.rule.get(),
                                             // Starts are moved along the anchor's derivatives and
                                             // often close enough without an update.
                                             .test = EarlyStopTest::at_start,
                                             .cg = k.cg(options_.cg),
                                             .common_draws = true},
                                            rng, summary);
    const auto every_fourth = [&](Index first) {
      return Matrix(estimates(Eigen::all, Eigen::seqN(first, b.cols(), 4)));
    };
    result = gradient_from(
        k, psi, {{every_fourth(0), every_fourth(1)}, {every_fourth(2), every_fourth(3)}}, probes);
  } else {
    summary.solve =
        conjugate_gradients(k.working(), anchor_.preconditioner.get(), b, x, k.cg(options_.cg));
    result = gradient_from(k, psi, {{x, x}}, probes);
  }
  add_solves(summary.solve, probes.solves);
  result.solves = std::move(summary);
  result.fresh_traces = std::move(probes.fresh_traces);
  return result;
}

FreshTraces AnchoredGradient::more_traces(int count, Rng& rng) const {
  if (options_.fast_at_anchor || covariance_.fast == nullptr) {
    return ulisse::fresh_traces(covariance_, anchor_, count, rng, options_.cg_at_anchor);
  }
  FreshTraces fresh = ulisse::fresh_traces(WorkingCovariance(*covariance_.precise), anchor_, count,
                                           rng, options_.cg_at_anchor);
  // Beside others in lower precision these are the exact ones.
  std::swap(fresh.solves.products, fresh.solves.exact_products);
  return fresh;
}

GradientEstimate AnchoredGradient::with_whole_bank(const ConstVector& psi) const {
  Matrix solutions;
  return with_whole_bank(psi, solutions);
}

GradientEstimate AnchoredGradient::with_whole_bank(const ConstVector& psi,
                                                   Matrix& solutions) const {
  Indices all(static_cast<std::size_t>(anchor_.bank()));
  std::iota(all.begin(), all.end(), Index(0));
  Probes probes = of_the_bank(psi, all);
  probes.spread = 1;  // the covariance is that of the bank's mean
  const WorkingOperator k = covariance_.at(psi);
  solutions = probes.starts;
  UnbiasedSummary summary;
  summary.solve =
      options_.careful
          ? verified_solve(k, *anchor_.preconditioner, probes.right_sides, solutions, options_.cg)
          : conjugate_gradients(k.working(), anchor_.preconditioner.get(), probes.right_sides,
                                solutions, k.cg(options_.cg));
  AnchoredEstimate result = gradient_from(k, psi, {{solutions, solutions}}, probes);
  result.solves = std::move(summary);
  return std::move(static_cast<GradientEstimate&>(result));  // the parts are left behind
}

AnchoredEstimate AnchoredGradient::gradient_from(const WorkingOperator& k, const ConstVector& psi,
                                                 const std::vector<SolutionPair>& pairs,
                                                 const Probes& probes) const {
  const Index count = probes.weights.cols();
  const auto groups = static_cast<Index>(pairs.size());
  Matrix u(probes.weights.rows(), groups * (1 + count)), v(u.rows(), u.cols());
  for (Index g = 0; g < groups; ++g) {
    const auto& [left, right] = pairs[g];
    u.middleCols(g * (1 + count), 1 + count) << left.col(0), 0.5 * (left + right).rightCols(count);
    v.middleCols(g * (1 + count), 1 + count) << right.col(0), probes.weights;
  }
  const Matrix forms = 0.5 * of_forms(k).gradient_forms_by_column(u, v);
  Matrix changes = Matrix::Zero(psi.size(), count), differences = changes;
  Matrix without_anchor(psi.size(), groups);
  for (Index g = 0; g < groups; ++g) {
    const Matrix traces = forms.middleCols(g * (1 + count) + 1, count);
    without_anchor.col(g) = forms.col(g * (1 + count)) - traces.rowwise().mean();
    changes += (traces - probes.traces) / static_cast<double>(groups);
    if (groups == 2) differences += (g == 0 ? 0.5 : -0.5) * traces;
  }
  AnchoredEstimate result;
  result.gradient = without_anchor.rowwise().mean() + probes.traces.rowwise().mean() -
                    anchor_.trace.value + model_.log_prior(psi).gradient;
  // What cutting does to each probe apart from the others is in both spreads; once is enough.
  const Matrix twice = covariance_of_mean(differences);
  result.parts = {.cutting = covariance_of_mean(without_anchor),
                  .probes = probes.spread * (covariance_of_mean(changes) - twice),
                  .probes_alone = covariance_of_mean(changes + probes.traces) - twice};
  result.covariance = result.parts.cutting + result.parts.probes;
  return result;
}

}  // namespace ulisse
