// The gradient that a chain sees, whose trace at the anchor it goes on to improve.

#include "ulisse/chain_gradient.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "base/archive.h"
#include "posterior/column_mean.h"
#include "support/problem.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::Problem;

// What a chain uses to come to its gradients.
struct Means {
  bool fresh, controls;
};

class OfAChain : public ::testing::TestWithParam<Means> {
 protected:
  OfAChain()
      : problem("rbf", 150, 2),
        exact(problem.model, problem.x, problem.y),
        mode(find_mode(exact, problem.x, problem.y)),
        anchor(make_anchor(*problem.covariance, problem.y, mode.psi, preconditioner(),
                           {.bank = 16, .cg = testing::kTightSolves})) {
    if (!GetParam().controls) return;
    const auto k = problem.covariance->at(anchor.psi);
    use_controls(anchor.trace, bank_controls(*k, anchor), anchor.preconditioner->half_trace(*k));
  }

  std::shared_ptr<const LowRankPreconditioner> preconditioner() const {
    const auto k = problem.covariance->at(mode.psi);
    return std::make_shared<LowRankPreconditioner>(pivoted_cholesky(*k, {.rank = 40}), k->noise());
  }

  AnchoredGradient anchored() const {
    return {problem.model,
            *problem.covariance,
            anchor,
            {.probes = 4,
             .fresh = GetParam().fresh,
             .cg_at_anchor = testing::kTightSolves,
             .cg = testing::kTightSolves}};
  }

  // 1/2 tr(K^-1 dK) at the anchor.
  Vector true_trace() const {
    const Vector gradient = exact.log_density_and_gradient(anchor.psi).gradient;
    const AnchoredGradient bank(problem.model, *problem.covariance, anchor,
                                {.probes = 1, .cg = testing::kTightSolves});
    return anchor.trace.value + bank.with_whole_bank(anchor.psi).gradient - gradient;
  }

  ChainGradient chain_on(const AnchoredGradient& gradient, double error = 1) const {
    return {gradient, coordinates, {.error = error}};
  }

  Rng rng_of(std::uint64_t iteration) const { return stream(5, 0, Purpose::truncation, iteration); }

  void run(ChainGradient& chain, std::uint64_t first, std::uint64_t last) const {
    for (std::uint64_t i = first; i < last; ++i) {
      Rng rng = rng_of(i);
      chain.estimate(mode.psi, rng);
    }
  }

  Problem problem;
  ExactPosterior exact;
  Mode mode;
  Anchor anchor;
  Coordinates coordinates{Vector::Zero(3), Vector::Zero(3)};
};

// Probes of the set-up, which was off on purpose, and of the chain count alike.
TEST_P(OfAChain, TheTraceIsTheMeanOverAllProbes) {
  anchor.trace.value += Vector::Constant(3, 10.0);
  const AnchoredGradient gradient = anchored();
  ChainGradient chain = chain_on(gradient);
  Vector sum = 16 * anchor.trace.value;
  long probes = 16;
  const auto count = [&](const Matrix& traces) {
    sum += traces.rowwise().sum();
    probes += traces.cols();
  };
  for (std::uint64_t i = 0; i < 300; ++i) {
    Rng rng = rng_of(i), same = rng_of(i);
    const long before = chain.trace().probes();
    chain.estimate(mode.psi, rng);
    const Matrix of_estimate = gradient.estimate_in_parts(mode.psi, same, true).fresh_traces;
    if (GetParam().fresh) {
      EXPECT_EQ(of_estimate.cols(), 4);
      count(of_estimate);
    } else if (chain.trace().probes() > before) {
      count(gradient.more_traces(16, same).values);
    }
  }
  EXPECT_GT(probes, 16 + 16);
  EXPECT_EQ(chain.trace().probes(), probes - 16);
  EXPECT_LT((chain.trace().value() - sum / static_cast<double>(probes)).norm(), 1e-9);
  EXPECT_NEAR(chain.trace().error_ratio(), std::sqrt(16 / static_cast<double>(probes)), 1e-12);
  EXPECT_LT(chain.mean_error(), 1);
  EXPECT_GT(chain.mean_error(), chain.trace().error_ratio());
}

// What solves that came to no end have left is not kept.
TEST_P(OfAChain, SolvesThatBreakOffCountForNothing) {
  AnchoredGradientOptions options = anchored().options();
  options.cg_at_anchor.tolerance = 0;
  options.cg_at_anchor.max_iterations = 2;
  const AnchoredGradient gradient(problem.model, *problem.covariance, anchor, options);
  ChainGradient chain = chain_on(gradient);
  run(chain, 0, 300);
  EXPECT_EQ(chain.trace().probes(), 0);
  EXPECT_EQ((chain.trace().value() - anchor.trace.value).norm(), 0);
}

// The chain's own probes alone: within four and a half of their errors of the truth.
TEST_P(OfAChain, ItsOwnProbesAreRight) {
  const AnchoredGradient gradient = anchored();
  Matrix all(3, 400);
  for (Index i = 0; i < 100; ++i) {
    Rng rng = rng_of(static_cast<std::uint64_t>(i));
    all.middleCols(4 * i, 4) = GetParam().fresh
                                   ? gradient.estimate_in_parts(mode.psi, rng, true).fresh_traces
                                   : gradient.more_traces(4, rng).values;
  }
  const Vector error = all.rowwise().mean() - true_trace();
  const Matrix covariance = covariance_of_mean(all);
  for (Index j = 0; j < 3; ++j) EXPECT_LT(std::abs(error(j)), 4.5 * std::sqrt(covariance(j, j)));
  // Controls take away what the preconditioner, which is near K, can tell.
  if (GetParam().controls) {
    EXPECT_LT(covariance.trace(), 0.5 * covariance_of_mean(anchor.probe_traces).trace() * 16 / 400);
  }
}

TEST_P(OfAChain, TheGradientFollowsTheTrace) {
  const AnchoredGradient gradient = anchored();
  ChainGradient chain = chain_on(gradient);
  run(chain, 0, 400);
  const Vector trace = chain.trace().value();
  EXPECT_GT((trace - anchor.trace.value).norm(), 0);
  Rng rng = rng_of(400), same = rng_of(400);
  const Vector u = mode.psi;
  const Vector expected = gradient.estimate(u, same).gradient + anchor.trace.value - trace;
  EXPECT_LT((chain.estimate(u, rng).gradient - expected).norm(), 1e-9);
}

TEST_P(OfAChain, AnExactTraceStays) {
  anchor.trace.exact = true;
  const AnchoredGradient gradient = anchored();
  ChainGradient chain = chain_on(gradient, 0);
  run(chain, 0, 300);
  EXPECT_EQ(chain.trace().probes(), 0);
  EXPECT_EQ(chain.mean_error(), 0);
}

TEST_P(OfAChain, GoesOnFromAnArchive) {
  const AnchoredGradient gradient = anchored();
  ChainGradient whole = chain_on(gradient), first = chain_on(gradient), second = chain_on(gradient);
  run(whole, 0, 300);
  run(first, 0, 125);
  ArchiveWriter writer;
  writer(first);
  ArchiveReader reader(writer.bytes());
  reader(second);
  reader.finish();
  run(second, 125, 300);
  EXPECT_EQ(second.trace().probes(), whole.trace().probes());
  EXPECT_EQ((second.trace().value() - whole.trace().value()).norm(), 0);
  EXPECT_EQ(second.mean_error(), whole.mean_error());
}

INSTANTIATE_TEST_SUITE_P(, OfAChain,
                         ::testing::Values(Means{false, false}, Means{false, true},
                                           Means{true, false}, Means{true, true}));

// A tenth of the products, but for the block that is under way; and none where there is nothing to
// gain.
TEST(TraceOfAChain, TakesATenthOfTheTime) {
  const Problem problem("rbf", 150, 2);
  const Vector psi = Vector::Constant(3, -1.0);
  const auto k = problem.covariance->at(psi);
  const Anchor anchor = make_anchor(
      *problem.covariance, problem.y, psi,
      std::make_shared<LowRankPreconditioner>(pivoted_cholesky(*k, {.rank = 40}), k->noise()),
      {.bank = 16, .cg = testing::kTightSolves});
  const AnchoredGradient gradient(
      problem.model, *problem.covariance, anchor,
      {.probes = 4, .cg_at_anchor = testing::kTightSolves, .cg = testing::kTightSolves});
  const Coordinates coordinates(Vector::Zero(3), Vector::Zero(3));
  ChainGradient chain(gradient, coordinates, {.error = 1}),
      later(gradient, coordinates, {.error = 1, .delay = 0.5}),
      content(gradient, coordinates, {.error = 0.01});
  long all = 0, plain = 0, at_a_time = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vector u = psi + Vector::Constant(3, 0.1);
    Rng rng = stream(1, 0, Purpose::truncation, i), same = rng, again = rng;
    all += chain.estimate(u, rng).solves.solve.products;
    plain += content.estimate(u, same).solves.solve.products;
    later.estimate(u, again);
    at_a_time += chain.trace().probes() > 0 && later.trace().probes() == 0;
  }
  EXPECT_GT(at_a_time, 1) << "the first block of one is half a block's time before the other's";
  EXPECT_EQ(content.trace().probes(), 0);
  EXPECT_GE(chain.trace().probes(), 16);
  EXPECT_GT(all, plain);
  // A product of sixteen columns counts for one and a half.
  EXPECT_LT(static_cast<double>(all), (1 + 0.1 / 1.5) * static_cast<double>(plain));
}

}  // namespace
}  // namespace ulisse
