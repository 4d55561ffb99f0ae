#include "ulisse/anchor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/watch.h"
#include "ulisse/fast_solves.h"

namespace ulisse {

namespace {

// Blocks of columns whose product costs little more than one column's, and whose memory is small: y
// and a bank of 32.
constexpr Index kColumns = 33;

// Fresh probes and what is computed of them at the anchor.
struct FreshProbes {
  Matrix weights, solutions;  // P^-1 z, K^-1 z
  SolveSummary solves;
};

FreshProbes solve_for_fresh_probes(const WorkingOperator& k, const Anchor& anchor, int count,
                                   Rng& rng, const CgOptions& cg) {
  const Matrix probes = anchor.preconditioner->sample(count, rng);
  FreshProbes fresh{.weights = Matrix(probes.rows(), probes.cols()),
                    .solutions = Matrix::Zero(probes.rows(), probes.cols()),
                    .solves = {}};
  anchor.preconditioner->apply(probes, fresh.weights);
  fresh.solves = verified_solve(k, *anchor.preconditioner, probes, fresh.solutions, cg);
  return fresh;
}

void solve_in_blocks(const WorkingOperator& k, const ConstBlock& b, Block x, const CgOptions& cg,
                     Anchor& anchor) {
  WatchStep step;
  for (Index c = 0; c < b.cols(); c += kColumns) {
    const Index count = std::min(kColumns, b.cols() - c);
    step.say([&] { return fmt::format("right side {} of {}", c + 1, b.cols()); });
    const SolveSummary solve = verified_solve(k, *anchor.preconditioner, b.middleCols(c, count),
                                              x.middleCols(c, count), cg);
    anchor.unfinished += solve.unfinished();
    anchor.iterations = std::max(anchor.iterations, solve.iterations);
  }
}

// An average would remember for ever what a solve that broke down has left.
Matrix of_finished(const Matrix& values, const SolveSummary& solves) {
  Indices finished;
  for (Index c = 0; c < values.cols(); ++c) {
    const Stop stop = solves.columns[static_cast<std::size_t>(c)].stop;
    if (stop == Stop::converged && values.col(c).allFinite()) finished.push_back(c);
  }
  return values(Eigen::all, finished);
}

// From the samples so far.
void update(AnchorTrace& trace) {
  const MeanEstimate mean = trace.samples.mean();
  trace.value = mean.value;
  trace.covariance = mean.covariance;
  trace.slopes = mean.slopes;
  trace.expected_controls = trace.samples.expectation;
  trace.probes = trace.samples.traces.cols();
}

bool is_shaped(const Matrix& m, Index rows, Index cols) {
  return m.rows() == rows && m.cols() == cols;
}

bool is_shaped_or_empty(const Matrix& m, Index rows, Index cols) {
  return m.size() == 0 || is_shaped(m, rows, cols);
}

}  // namespace

AnchorTrace trace_of(const Matrix& probe_traces) {
  AnchorTrace trace;
  trace.samples.add(probe_traces, {});
  update(trace);
  return trace;
}

bool AnchorTrace::fits(Index /*rows*/, Index p) const {
  const Index controls = expected_controls.size();
  return value.size() == p && is_shaped(covariance, p, p) && blocks >= 0 &&
         probes == samples.traces.cols() && samples.traces.rows() == p &&
         is_shaped_or_empty(slopes, controls, p) && samples.expectation.size() == controls &&
         is_shaped_or_empty(samples.controls, controls, samples.traces.cols());
}

bool Anchor::fits(Index n, Index p) const {
  return psi.size() == p && bank() > 0 && is_shaped(right_sides, n, 1 + bank()) &&
         is_shaped(probe_weights, n, bank()) && is_shaped(solutions, n, 1 + bank()) &&
         is_shaped(probe_traces, p, bank()) && rank >= 0 && rank <= n && neighbours >= 0 &&
         neighbours < n;
}

// Towards theta = 0 a parameter ends to matter: a solution changes with theta there, not with psi,
// which goes on for ever.
Matrix Anchor::starting_points(const ConstVector& at, const Indices& columns) const {
  Matrix x = solutions(Eigen::all, columns);
  for (std::size_t j = 0; j < slopes.size(); ++j) {
    const double apart = at(static_cast<Index>(j)) - psi(static_cast<Index>(j));
    x += (apart < 0 ? std::expm1(apart) : apart) * slopes[j](Eigen::all, columns);
  }
  return x;
}

Matrix trace_forms(const CovarianceOperator& k, const ConstBlock& solutions,
                   const ConstBlock& weights) {
  return 0.5 * k.gradient_forms_by_column(solutions, weights);
}

Anchor make_anchor(const WorkingCovariance& covariance, const ConstVector& y,
                   const ConstVector& psi, std::shared_ptr<const Preconditioner> preconditioner,
                   const AnchorOptions& options) {
  Anchor a;
  a.psi = psi;
  a.preconditioner = std::move(preconditioner);
  a.rank = a.preconditioner->rank();
  a.neighbours = a.preconditioner->neighbours();
  Rng rng = stream(options.seed, 0, Purpose::probes);
  const Matrix probes = a.preconditioner->sample(options.bank, rng);
  a.probe_weights.resizeLike(probes);
  a.preconditioner->apply(probes, a.probe_weights);
  a.right_sides.resize(y.size(), 1 + probes.cols());
  a.right_sides << y, probes;
  const WorkingOperator k = covariance.at(psi);
  a.solutions = Matrix::Zero(y.size(), a.right_sides.cols());
  solve_in_blocks(k, a.right_sides, a.solutions, options.cg, a);
  a.probe_traces = trace_forms(*k.precise, a.solutions.rightCols(a.bank()), a.probe_weights);
  a.trace = trace_of(a.probe_traces);
  return a;
}

void refine_trace(const WorkingCovariance& covariance, const Anchor& anchor, AnchorTrace& trace,
                  int count, Rng& rng, const CgOptions& cg) {
  const WorkingOperator k = covariance.at(anchor.psi);
  const FreshProbes fresh = solve_for_fresh_probes(k, anchor, count, rng, cg);
  trace.unfinished += fresh.solves.unfinished();
  trace.samples.add(
      trace_forms(*k.precise, fresh.solutions, fresh.weights),
      trace.by_controls() ? trace_forms(*k.precise, fresh.weights, fresh.weights) : Matrix());
  update(trace);
}

FreshTraces fresh_traces(const Anchor& anchor, const CovarianceOperator& k,
                         const ConstBlock& solutions, const ConstBlock& weights,
                         SolveSummary solves) {
  FreshTraces fresh;
  if (anchor.trace.slopes.size() == 0) {
    fresh.values = fresh.by_probe = trace_forms(k, solutions, weights);
  } else {  // controls take one pass with the traces
    const Index count = weights.cols();
    Matrix left(weights.rows(), 2 * count), right(weights.rows(), 2 * count);
    left << solutions, weights;
    right << weights, weights;
    const Matrix forms = trace_forms(k, left, right);
    const Matrix chance = forms.rightCols(count).colwise() - anchor.trace.expected_controls;
    fresh.by_probe = forms.leftCols(count);
    fresh.values = fresh.by_probe - anchor.trace.slopes.transpose() * chance;
  }
  fresh.values = of_finished(fresh.values, solves);
  fresh.solves = std::move(solves);
  return fresh;
}

FreshTraces fresh_traces(const WorkingCovariance& covariance, const Anchor& anchor, int count,
                         Rng& rng, const CgOptions& cg) {
  const WorkingOperator k = covariance.at(anchor.psi);
  FreshProbes fresh = solve_for_fresh_probes(k, anchor, count, rng, cg);
  return fresh_traces(anchor, *k.precise, fresh.solutions, fresh.weights, std::move(fresh.solves));
}

Matrix bank_controls(const CovarianceOperator& k, const Anchor& anchor) {
  return trace_forms(k, anchor.probe_weights, anchor.probe_weights);
}

Matrix error_with_controls(const Anchor& anchor, const Matrix& controls) {
  // How far the controls' mean will be from what it should be is not known yet; on average it takes
  // this factor.
  const auto count = static_cast<double>(controls.cols()),
             used = static_cast<double>(controls.rows());
  return (count - 2) / (count - used - 2) *
         regressed_mean(anchor.probe_traces, controls, controls.rowwise().mean()).covariance;
}

void use_controls(AnchorTrace& trace, const Matrix& of_the_bank, const Vector& expectation) {
  trace.samples.controls = of_the_bank;
  trace.samples.expectation = expectation;
  update(trace);
}

}  // namespace ulisse
