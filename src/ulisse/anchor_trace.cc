#include "ulisse/anchor_trace.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/watch.h"
#include "ulisse/exact.h"
#include "ulisse/fast_solves.h"
#include "ulisse/whitened.h"

namespace ulisse {

namespace {

constexpr int kBlock = 32;  // probes that share a product

bool exact_is_wanted(const SetupProblem& problem) {
  const auto n = static_cast<std::size_t>(problem.rows());
  const bool fits = n * n * sizeof(double) + problem.covariance.kept_bytes() <= problem.memory &&
                    problem.rows() <= SetupProblem::kExactTraceRows;
  return problem.settings.mode_gradient == "exact" ||
         (problem.settings.mode_gradient == "auto" && fits);
}

// The gradient is fit - trace + prior, and the fit needs y's solution alone. As it was where K is
// not positive definite for Cholesky.
AnchorTrace exact_trace(const SetupProblem& problem, const Anchor& anchor, bool by_float) {
  problem.report("computing the exact gradient at the mode");
  const LogDensity exact = ExactPosterior(problem.model, problem.data.x, problem.data.y)
                               .log_density_and_gradient(anchor.psi);
  AnchorTrace trace = anchor.trace;
  if (exact.rejected()) return trace;
  const Vector without_trace =
      problem.precise_gradient(anchor, by_float).with_whole_bank(anchor.psi).gradient + trace.value;
  trace.value = without_trace - exact.gradient;
  trace.covariance.setZero();
  trace.exact = true;
  return trace;
}

double error_by(const Matrix& factor, const AnchorTrace& trace) {
  return trace.exact ? 0 : std::sqrt(largest_eigenvalue(factor, trace.covariance));
}

// Probes that bring the error to `wanted`, if a bank of so many leaves such a covariance.
double probes_for(double wanted, const Matrix& covariance, const Matrix& factor, Index bank) {
  const double ratio = std::sqrt(largest_eigenvalue(factor, covariance)) / wanted;
  return std::max(1.0, ratio * ratio) * static_cast<double>(bank);
}

// The preconditioner's own trace takes forms of as many columns as its rank, and saves probes,
// which take solves: few where it is far from K, nearly all where it is near.
AnchorTrace with_controls(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                          const Matrix& factor) {
  // Of forms in products of as many columns, and for how many degrees of freedom.
  const double price = by_float ? 2 / kPriceOfFloat : 2;
  constexpr Index kFree = 10;
  AnchorTrace trace = anchor.trace;
  const double wanted = problem.settings.mode_gradient_error;
  const bool enough_probes = anchor.bank() >= anchor.psi.size() + 1 + kFree;
  if (!enough_probes || error_by(factor, trace) <= wanted) return trace;
  const auto k = problem.covariance.at(anchor.psi);
  problem.report("looking whether the preconditioner's trace helps");
  const Matrix controls = bank_controls(*k, anchor);
  const double saved =
      probes_for(wanted, trace.covariance, factor, anchor.bank()) -
      probes_for(wanted, error_with_controls(anchor, controls), factor, anchor.bank());
  if (!(saved * anchor.iterations > price * static_cast<double>(anchor.rank))) return trace;
  const Vector expectation = anchor.preconditioner->half_trace(*k, [&](Index columns) {
    problem.report(fmt::format("computing the preconditioner's trace, {} of {} columns", columns,
                               anchor.rank));
  });
  if (expectation.size() > 0) use_controls(trace, controls, expectation);
  return trace;
}

// The stream of fresh probes, behind those that were drawn.
Rng stream_after(const SetupProblem& problem, const Anchor& anchor, long blocks) {
  Rng rng = stream(problem.seed, 1, Purpose::probes);
  WatchStep step;
  for (long i = 0; i < blocks; ++i) {
    step.say([&] { return fmt::format("drawing earlier probes again, {} of {}", i, blocks); });
    anchor.preconditioner->sample(kBlock, rng);
  }
  return rng;
}

}  // namespace

double trace_error(const AnchorTrace& trace, const Matrix& metric) {
  return error_by(metric.llt().matrixL(), trace);
}

AnchorTrace first_trace(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                        const Matrix& metric) {
  if (exact_is_wanted(problem)) {
    AnchorTrace exact = exact_trace(problem, anchor, by_float);
    if (exact.exact) return exact;
  }
  return with_controls(problem, anchor, by_float, metric.llt().matrixL());
}

AnchorTrace averaged_trace(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                           const Matrix& metric, AnchorTrace trace,
                           const std::function<void(const AnchorTrace&)>& averaged) {
  const Matrix factor = metric.llt().matrixL();
  const double wanted = problem.settings.mode_gradient_error;
  const long most = problem.settings.mode_gradient_probes;
  const auto is_enough = [&] {
    return !(error_by(factor, trace) > wanted) || trace.probes >= most;
  };
  if (is_enough()) return trace;
  Rng rng = stream_after(problem, anchor, trace.blocks);
  while (!is_enough()) {
    problem.report(
        fmt::format("averaging the gradient at the mode, {} of at most {} probes, error "
                    "{:.2g} sd on its way to {:.2g}",
                    trace.probes, most, error_by(factor, trace), wanted));
    refine_trace(problem.working(by_float), anchor, trace, kBlock, rng, problem.cg_at(anchor.psi));
    ++trace.blocks;
    if (averaged) averaged(trace);
  }
  return trace;
}

}  // namespace ulisse
