// What fits need of a preconditioner, with one that is not in src/.

#include <gtest/gtest.h>

#include "support/block_preconditioner.h"
#include "support/problem.h"
#include "ulisse/anchored_gradient.h"
#include "ulisse/exact.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse {
namespace {

using testing::BlockPreconditioner;
using testing::Problem;

constexpr Index kRows = 120;

struct OwnPreconditioner : ::testing::Test {
  Problem problem{"rbf", kRows, 2};
  std::shared_ptr<const Preconditioner> p =
      std::make_shared<BlockPreconditioner>(*problem.covariance->at(problem.psi), 40);
  Vector truth = ExactPosterior(problem.model, problem.x, problem.y)
                     .log_density_and_gradient(problem.psi)
                     .gradient;
};

// A false alarm once in 10^5 for each of three parameters.
TEST_F(OwnPreconditioner, AnAnchorsGradientIsTheExactOneWithinItsError) {
  const WorkingCovariance covariance(*problem.covariance);
  const Anchor anchor =
      make_anchor(covariance, problem.y, problem.psi, p, {.bank = 64, .cg = testing::kTightSolves});
  EXPECT_EQ(anchor.rank, 40);
  EXPECT_EQ(anchor.unfinished, 0);
  const AnchoredGradient gradient(problem.model, covariance, anchor,
                                  {.probes = 4, .cg = testing::kTightSolves});
  const Vector error = gradient.with_whole_bank(problem.psi).gradient - truth;
  for (Index j = 0; j < error.size(); ++j) {
    EXPECT_LT(std::abs(error(j)), 4.9 * std::sqrt(anchor.trace.covariance(j, j))) << j;
  }
  EXPECT_EQ(p->half_trace(*problem.covariance->at(problem.psi)).size(), 0) << "no controls";
}

// The mean of 200 estimates; a false alarm once in 10^6 for each parameter.
TEST_F(OwnPreconditioner, StochasticGradientsAreUnbiased) {
  StochasticGradient gradient(problem.model, *problem.covariance, problem.y,
                              {.kind = ProbeKind::preconditioned, .cg = testing::kTightSolves});
  gradient.set_preconditioner(p);
  Rng probes = stream(1, 0, Purpose::probes), truncation = stream(1, 0, Purpose::truncation);
  Matrix estimates(truth.size(), 200);
  for (Index i = 0; i < estimates.cols(); ++i) {
    gradient.draw_probes(probes);
    estimates.col(i) = gradient.estimate(problem.psi, truncation).gradient;
  }
  const Vector error = estimates.rowwise().mean() - truth;
  const Vector variance = testing::covariance_of(estimates).diagonal() / 200.0;
  for (Index j = 0; j < error.size(); ++j) {
    EXPECT_LT(std::abs(error(j)), 4.9 * std::sqrt(variance(j))) << j;
  }
}

TEST_F(OwnPreconditioner, ItsLogDeterminantIsThatOfWhatItInverts) {
  Matrix inverse(kRows, kRows);
  p->apply(Matrix::Identity(kRows, kRows), inverse);
  const double expected =
      -2 * Eigen::LLT<Matrix>(inverse).matrixLLT().diagonal().array().log().sum();
  EXPECT_NEAR(p->log_determinant(), expected, 1e-8 * std::abs(expected));
}

}  // namespace
}  // namespace ulisse
