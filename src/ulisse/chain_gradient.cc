#include "ulisse/chain_gradient.h"

#include <cmath>

#include "ulisse/curved_gradient.h"
#include "ulisse/fast_solves.h"

namespace ulisse {

namespace {

// A product of this many columns takes some 1.4 times as long as one of five, as estimates have;
// and solves for so many end within the patience of an interrupt.
constexpr int kProbesInABlock = 16;
constexpr double kPriceOfABlocksProduct = 1.5;
constexpr double kMaxShareOfTime = 0.1;  // of a chain's time
// Below it more probes gain nothing.
constexpr double kMinTraceErrorInPosteriorSd = 0.01;

// In products of one kind: in float where there are others in double.
double cost(const SolveSummary& solves) {
  const auto products = static_cast<double>(solves.products),
             exact = static_cast<double>(solves.exact_products);
  return exact > 0 ? products + exact / kPriceOfFloat : products;
}

}  // namespace

void OwnTrace::add(const Matrix& traces) {
  sum_ += traces.rowwise().sum();
  probes_ += traces.cols();
}

Vector OwnTrace::value() const {
  const auto before = static_cast<double>(anchor_.trace.probes), own = static_cast<double>(probes_);
  return (before * anchor_.trace.value + sum_) / (before + own);
}

double OwnTrace::error_ratio() const {
  const auto before = static_cast<double>(anchor_.trace.probes), own = static_cast<double>(probes_);
  return std::sqrt(before / (before + own));
}

GradientEstimate ChainGradient::estimate(const Vector& u, Rng& rng) {
  const Anchor& anchor = gradient_.anchor();
  AnchoredEstimate estimate = gradient_.estimate_in_parts(psi(u), rng, has_to_improve());
  if (!anchor.trace.exact) {
    estimate.gradient += anchor.trace.value - trace_.value();
    improve(estimate, rng);
  }
  return carried_to(coordinates_, u, std::move(static_cast<GradientEstimate&>(estimate)));
}

double ChainGradient::mean_error() const {
  if (estimates_ == 0) return options_.error;
  return options_.error * ratio_sum_ / static_cast<double>(estimates_);
}

void ChainGradient::improve(AnchoredEstimate& estimate, Rng& rng) {
  ++estimates_;
  ratio_sum_ += trace_.error_ratio();
  cost_ += cost(estimate.solves.solve);
  if (!has_to_improve()) return;
  if (gradient_.options().fresh) {
    trace_.add(estimate.fresh_traces);
  } else if (may_take_a_block()) {
    const FreshTraces more = gradient_.more_traces(kProbesInABlock, rng);
    trace_.add(more.values);
    ++blocks_;
    cost_of_blocks_ += kPriceOfABlocksProduct * cost(more.solves);
    add_solves(estimate.solves.solve, more.solves);
  }
}

bool ChainGradient::has_to_improve() const {
  return !gradient_.anchor().trace.exact &&
         options_.error * trace_.error_ratio() > kMinTraceErrorInPosteriorSd;
}

bool ChainGradient::may_take_a_block() const {
  const double block = blocks_ > 0 ? cost_of_blocks_ / static_cast<double>(blocks_)
                                   : kPriceOfABlocksProduct * gradient_.anchor().iterations;
  return cost_of_blocks_ + (1 + options_.delay) * block <= kMaxShareOfTime * cost_;
}

}  // namespace ulisse
