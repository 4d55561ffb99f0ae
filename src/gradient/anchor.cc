#include "gradient/anchor.h"

#include <algorithm>
#include <cmath>

#include "gradient/fast_solves.h"

namespace ulisse {

namespace {

// Blocks of columns whose product costs little more than one column's, and whose memory is small: y
// and a bank of 32.
constexpr Index kColumns = 33;

void solve_in_blocks(const WorkingOperator& k, const ConstBlock& b, Block x, const CgOptions& cg,
                     Anchor& anchor) {
  for (Index c = 0; c < b.cols(); c += kColumns) {
    const Index count = std::min(kColumns, b.cols() - c);
    const SolveSummary solve = verified_solve(k, *anchor.preconditioner, b.middleCols(c, count),
                                              x.middleCols(c, count), cg);
    anchor.unfinished += solve.unfinished();
    anchor.iterations = std::max(anchor.iterations, solve.iterations);
  }
}

void believe(const MeanEstimate& mean, Anchor& anchor) {
  anchor.trace = mean.value;
  anchor.trace_covariance = mean.covariance;
  anchor.trace_probes = anchor.trace_samples.traces.cols();
}

}  // namespace

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
                   const ConstVector& psi,
                   std::shared_ptr<const LowRankPreconditioner> preconditioner,
                   const AnchorOptions& options) {
  Anchor a;
  a.psi = psi;
  a.preconditioner = std::move(preconditioner);
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
  a.trace_samples.add(a.probe_traces, {});
  believe(a.trace_samples.mean(), a);
  return a;
}

void refine_trace(const WorkingCovariance& covariance, Anchor& anchor, int count, Rng& rng,
                  const CgOptions& cg) {
  const WorkingOperator k = covariance.at(anchor.psi);
  const Matrix probes = anchor.preconditioner->sample(count, rng);
  Matrix weights(probes.rows(), probes.cols());
  anchor.preconditioner->apply(probes, weights);
  Matrix solutions = Matrix::Zero(probes.rows(), probes.cols());
  solve_in_blocks(k, probes, solutions, cg, anchor);
  const bool controlled = anchor.trace_samples.controls.cols() > 0;
  anchor.trace_samples.add(trace_forms(*k.precise, solutions, weights),
                           controlled ? trace_forms(*k.precise, weights, weights) : Matrix());
  believe(anchor.trace_samples.mean(), anchor);
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

void use_controls(Anchor& anchor, const Matrix& of_the_bank, const Vector& expectation) {
  anchor.trace_samples.controls = of_the_bank;
  anchor.trace_samples.expectation = expectation;
  believe(anchor.trace_samples.mean(), anchor);
}

}  // namespace ulisse
