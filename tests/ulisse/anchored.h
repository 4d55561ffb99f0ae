#pragma once

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <memory>

#include "support/problem.h"
#include "support/sanitized.h"
#include "ulisse/anchored_gradient.h"
#include "ulisse/exact.h"

namespace ulisse::testing {

// A small problem with its mode and an anchor there; the parameter is the kernel.
class Anchored : public ::testing::TestWithParam<const char*> {
 protected:
  Anchored()
      : problem(GetParam(), 150, 2),
        exact(problem.model, problem.x, problem.y),
        mode(find_mode(exact, problem.x, problem.y)),
        anchor(make_anchor(*problem.covariance, problem.y, mode.psi,
                           preconditioner_at(mode.psi, 40), {.bank = 16, .cg = kTightSolves})) {}

  std::shared_ptr<const LowRankPreconditioner> preconditioner_at(const Vector& psi,
                                                                 Index rank) const {
    const auto k = problem.covariance->at(psi);
    return std::make_shared<LowRankPreconditioner>(pivoted_cholesky(*k, {.rank = rank}),
                                                   k->noise());
  }

  AnchoredGradient gradient(const char* rule = nullptr) const {
    AnchoredGradientOptions options{.probes = 4, .q = 0.2, .cg = kTightSolves};
    if (rule != nullptr) options.rule = parse_truncation(rule);
    return {problem.model, *problem.covariance, anchor, options};
  }

  AnchoredGradient gradient_with(int probes) const {
    return {problem.model, *problem.covariance, anchor, {.probes = probes, .cg = kTightSolves}};
  }

  // Gradients, (parameters, count), and the mean of what they say of their own covariance.
  struct Repeated {
    Matrix gradients, own;
  };
  static Repeated repeat(const AnchoredGradient& estimator, const Vector& psi, std::uint64_t seed) {
    constexpr int kCount = repeats(2000, 100);
    Repeated all{Matrix(psi.size(), kCount), Matrix::Zero(psi.size(), psi.size())};
    for (int i = 0; i < kCount; ++i) {
      Rng rng = stream(seed, 0, Purpose::truncation, static_cast<std::uint64_t>(i));
      const GradientEstimate e = estimator.estimate(psi, rng);
      all.gradients.col(i) = e.gradient;
      all.own += e.covariance / kCount;
      EXPECT_EQ(e.solves.solve.unfinished(), 0);
    }
    return all;
  }

  Vector one_sd_away() const {
    return mode.psi +
           Matrix(mode.covariance.llt().matrixL()) * Vector::Ones(mode.psi.size()).normalized();
  }

  Problem problem;
  ExactPosterior exact;
  Mode mode;
  Anchor anchor;
};

}  // namespace ulisse::testing
