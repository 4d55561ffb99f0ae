#include "gradient/chain_gradient.h"

#include <algorithm>
#include <cmath>

#include "gradient/curved_gradient.h"

namespace ulisse {

namespace {

// A product of this many columns takes some 1.4 times as long as one of five, as estimates have; and
// solves for so many end soon enough for who interrupts a run.
constexpr int kProbes = 16;
constexpr double kPrice = 1.5;
constexpr double kShare = 0.1;  // of a chain's time
// In posterior standard deviations: below this there is nothing to gain.
constexpr double kSmallEnough = 0.01;

long all_products(const SolveSummary& solves) { return solves.products + solves.exact_products; }

}  // namespace

void OwnTrace::add(const Matrix& traces) {
  sum_ += traces.rowwise().sum();
  probes_ += traces.cols();
}

Vector OwnTrace::value() const {
  const auto before = static_cast<double>(anchor_.trace_probes), own = static_cast<double>(probes_);
  return (before * anchor_.trace + sum_) / (before + own);
}

double OwnTrace::error_ratio() const {
  const auto before = static_cast<double>(anchor_.trace_probes), own = static_cast<double>(probes_);
  return std::sqrt(before / (before + own));
}

GradientEstimate ChainGradient::estimate(const Vector& u, Rng& rng) {
  AnchoredEstimate estimate = gradient_.estimate_in_parts(psi(u), rng);
  if (!gradient_.anchor().exact_trace) {
    estimate.gradient += gradient_.anchor().trace - trace_.value();
    improve(estimate, rng);
  }
  return carried_to(coordinates_, u, std::move(static_cast<GradientEstimate&>(estimate)));
}

double ChainGradient::mean_error() const {
  return estimates_ > 0 ? error_ * ratio_sum_ / static_cast<double>(estimates_) : error_;
}

void ChainGradient::improve(AnchoredEstimate& estimate, Rng& rng) {
  ++estimates_;
  ratio_sum_ += trace_.error_ratio();
  products_ += all_products(estimate.solves.solve);
  if (estimate.fresh_traces.cols() > 0) {
    trace_.add(estimate.fresh_traces);
  } else if (may_improve()) {
    const FreshTraces more = gradient_.more_traces(kProbes, rng);
    trace_.add(more.values);
    products_for_trace_ += all_products(more.solves);
    add_solves(estimate.solves.solve, more.solves);
  }
}

bool ChainGradient::may_improve() const {
  const long with_another = products_for_trace_ + gradient_.anchor().iterations;
  return error_ * trace_.error_ratio() > kSmallEnough &&
         kPrice * static_cast<double>(with_another) <= kShare * static_cast<double>(products_);
}

}  // namespace ulisse
