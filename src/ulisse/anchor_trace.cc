#include "ulisse/anchor_trace.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "base/watch.h"
#include "posterior/column_mean.h"
#include "posterior/float_inverse.h"
#include "ulisse/choose_preconditioner.h"
#include "ulisse/exact.h"
#include "ulisse/fast_solves.h"
#include "ulisse/whitened.h"

namespace ulisse {

namespace {

constexpr int kBlock = 32;  // probes that share a product

bool fits_in_memory(const SetupProblem& problem, std::size_t bytes_of_a_number) {
  const auto n = static_cast<std::size_t>(problem.rows());
  return n * n * bytes_of_a_number + problem.covariance.kept_bytes() <= problem.memory;
}

bool double_is_wanted(const SetupProblem& problem) {
  return problem.settings.mode_gradient == "exact" ||
         (problem.settings.mode_gradient == "auto" && fits_in_memory(problem, sizeof(double)) &&
          problem.rows() <= SetupProblem::kExactTraceRows);
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
  return std::sqrt(largest_eigenvalue(factor, trace.covariance));
}

// tr(K^-1 dK) = tr(A dK) + tr((K^-1 - A) dK), where A is K^-1 by Cholesky in float: the first part
// exactly, the second as the bank sees it, whose probes it hardly moves. Not exact where that is
// known too badly, or where K is not positive definite in float.
AnchorTrace float_trace(const SetupProblem& problem, const Anchor& anchor, const Matrix& factor) {
  constexpr double kMaxErrorInPosteriorSd = 0.01;
  problem.report("computing the exact gradient at the mode");
  AnchorTrace trace = anchor.trace;
  const auto inverse = FloatInverse::of(problem.model, problem.data.x, anchor.psi);
  if (!inverse) return trace;
  const Index bank = anchor.bank();
  const Matrix left =
      anchor.solutions.rightCols(bank) - inverse->times(anchor.right_sides.rightCols(bank));
  const Matrix corrections =
      trace_forms(*problem.covariance.at(anchor.psi), left, anchor.probe_weights);
  const Matrix covariance = covariance_of_mean(corrections);
  if (!(std::sqrt(largest_eigenvalue(factor, covariance)) < kMaxErrorInPosteriorSd)) return trace;
  trace.value = inverse->half_trace() + corrections.rowwise().mean();
  trace.covariance = covariance;
  trace.exact = true;
  return trace;
}

// Probes that bring the error to `wanted`, if a bank of so many leaves such a covariance.
double probes_for(double wanted, const Matrix& covariance, const Matrix& factor, Index bank) {
  const double ratio = std::sqrt(largest_eigenvalue(factor, covariance)) / wanted;
  return std::max(1.0, ratio * ratio) * static_cast<double>(bank);
}

// What averaging over probes takes, without and with controls.
struct ProbesNeeded {
  Matrix controls;  // of the bank; empty where there are too few probes for them
  double without = 0, with = INFINITY;
};

ProbesNeeded probes_needed(const SetupProblem& problem, const Anchor& anchor,
                           const Matrix& factor) {
  constexpr Index kFree = 10;  // degrees of freedom
  const double wanted = problem.settings.mode_gradient_error;
  ProbesNeeded found;
  found.without = probes_for(wanted, anchor.trace.covariance, factor, anchor.bank());
  if (error_by(factor, anchor.trace) <= wanted) return found;
  if (anchor.bank() < anchor.psi.size() + 1 + kFree) return found;
  problem.report("looking whether the preconditioner's trace helps");
  found.controls = bank_controls(*problem.covariance.at(anchor.psi), anchor);
  found.with =
      probes_for(wanted, error_with_controls(anchor, found.controls), factor, anchor.bank());
  return found;
}

// A factor takes n^3 operations, about as fast as those of products.
bool factor_costs_less(const SetupProblem& problem, const Anchor& anchor,
                       const ProbesNeeded& needed) {
  const double most = static_cast<double>(problem.settings.mode_gradient_probes);
  const double probes = std::min({needed.without, needed.with, most});
  const double blocks = (probes - static_cast<double>(anchor.bank())) / kBlock;
  const double block = static_cast<double>(anchor.iterations) *
                       iteration_cost(problem.rows(), problem.model.dimensions, kBlock, anchor.rank,
                                      anchor.neighbours);
  return std::pow(static_cast<double>(problem.rows()), 3) < blocks * block;
}

bool float_is_wanted(const SetupProblem& problem, const Anchor& anchor,
                     const ProbesNeeded& needed) {
  if (problem.in_float == nullptr || problem.exact_mode()) return false;
  if (problem.settings.mode_gradient == "exact") return true;
  return problem.settings.mode_gradient == "auto" && fits_in_memory(problem, sizeof(float)) &&
         (problem.rows() <= SetupProblem::kExactTraceRows ||
          factor_costs_less(problem, anchor, needed));
}

// The preconditioner's own trace takes forms of as many columns as its rank, and saves probes,
// which take solves: few where it is far from K, nearly all where it is near.
AnchorTrace with_controls(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                          const ProbesNeeded& needed) {
  // Of forms in products of as many columns.
  const double price = by_float ? 2 / kPriceOfFloat : 2;
  AnchorTrace trace = anchor.trace;
  const double saved = needed.without - needed.with;
  if (!(saved * anchor.iterations > price * static_cast<double>(anchor.rank))) return trace;
  const auto k = problem.covariance.at(anchor.psi);
  const Vector expectation = anchor.preconditioner->half_trace(*k, [&](Index columns) {
    problem.report(fmt::format("computing the preconditioner's trace, {} of {} columns", columns,
                               anchor.rank));
  });
  if (expectation.size() > 0) use_controls(trace, needed.controls, expectation);
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
  const Matrix factor = metric.llt().matrixL();
  const bool few = problem.rows() <= SetupProblem::kExactTraceRows;
  ProbesNeeded needed;
  if (!few) needed = probes_needed(problem, anchor, factor);
  if (float_is_wanted(problem, anchor, needed)) {
    AnchorTrace exact = float_trace(problem, anchor, factor);
    if (exact.exact) return exact;
  }
  if (double_is_wanted(problem)) {
    AnchorTrace exact = exact_trace(problem, anchor, by_float);
    if (exact.exact) return exact;
  }
  if (few) needed = probes_needed(problem, anchor, factor);
  return with_controls(problem, anchor, by_float, needed);
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
