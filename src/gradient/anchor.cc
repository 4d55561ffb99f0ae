#include "gradient/anchor.h"

#include <cmath>

#include "gradient/column_mean.h"

namespace ulisse {

namespace {

// Blocks of columns whose product costs little more than one column's, and whose memory is small.
constexpr Index kColumns = 32;

// Returns the number of columns that did not converge.
long solve_in_blocks(const CovarianceOperator& k, const LinearOperator* preconditioner,
                     const ConstBlock& b, Block x, const CgOptions& cg) {
  long unfinished = 0;
  for (Index c = 0; c < b.cols(); c += kColumns) {
    const Index count = std::min(kColumns, b.cols() - c);
    unfinished +=
        conjugate_gradients(k, preconditioner, b.middleCols(c, count), x.middleCols(c, count), cg)
            .unfinished();
  }
  return unfinished;
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

Anchor make_anchor(const Covariance& covariance, const ConstVector& y, const ConstVector& psi,
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
  const auto k = covariance.at(psi);
  a.solutions = Matrix::Zero(y.size(), a.right_sides.cols());
  a.unfinished =
      solve_in_blocks(*k, a.preconditioner.get(), a.right_sides, a.solutions, options.cg);
  a.probe_traces = trace_forms(*k, a.solutions.rightCols(a.bank()), a.probe_weights);
  a.trace = a.probe_traces.rowwise().mean();
  a.trace_covariance = covariance_of_mean(a.probe_traces);
  a.trace_probes = a.bank();
  return a;
}

void refine_trace(const Covariance& covariance, Anchor& anchor, int count, Rng& rng,
                  const CgOptions& cg) {
  const auto k = covariance.at(anchor.psi);
  const Matrix probes = anchor.preconditioner->sample(count, rng);
  Matrix weights(probes.rows(), probes.cols());
  anchor.preconditioner->apply(probes, weights);
  Matrix solutions = Matrix::Zero(probes.rows(), probes.cols());
  anchor.unfinished += solve_in_blocks(*k, anchor.preconditioner.get(), probes, solutions, cg);
  const Matrix traces = trace_forms(*k, solutions, weights);
  const auto before = static_cast<double>(anchor.trace_probes), added = static_cast<double>(count);
  const double share = added / (before + added);
  anchor.trace += share * (traces.rowwise().mean() - anchor.trace);
  anchor.trace_covariance = (1 - share) * (1 - share) * anchor.trace_covariance +
                            share * share * covariance_of_mean(traces);
  anchor.trace_probes += count;
}

}  // namespace ulisse
