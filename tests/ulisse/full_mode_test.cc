// The mode of all rows, and what its search is made of: the rank of the preconditioner, solves in
// float.

#include "ulisse/full_mode.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/problem.h"
#include "ulisse/choose_preconditioner.h"
#include "ulisse/exact.h"
#include "ulisse/fast_solves.h"

namespace ulisse {
namespace {

using testing::Problem;

// Started far away, with a poor guess of the covariance. The probes' noise leaves it within a
// standard deviation.
TEST(FullMode, IsNearTheExactOne) {
  const Problem problem("rbf", 500, 3);
  const ExactPosterior exact(problem.model, problem.x, problem.y);
  const Mode truth = find_mode(exact, problem.x, problem.y);
  const Vector start = truth.psi + Vector{{1.5, -1, 1}};
  const Mode mode = find_full_mode(problem.model, *problem.covariance, problem.y, start,
                                   0.05 * Matrix::Identity(3, 3),
                                   {.preconditioner = {.rank = 100}, .probes = 32});
  EXPECT_TRUE(mode.converged) << mode.message;
  EXPECT_LT(mode.evaluations, 40);
  const Matrix factor = truth.covariance.llt().matrixL();
  const Vector apart = factor.triangularView<Eigen::Lower>().solve(mode.psi - truth.psi);
  EXPECT_LT(apart.norm(), 1) << apart.transpose();
}

// Not where there is hardly any noise: residuals by float do not fall so far.
TEST(FastSolves, PayWhereFloatIsPreciseEnough) {
  const Problem problem("rbf", 400, 2);
  const auto in_float =
      make_covariance(problem.model.kernel, problem.x, {.backend = "dense-float"});
  const CgOptions cg{.tolerance = 1e-4 * std::sqrt(400.0), .verify = false};
  const auto pay = [&](double lambda) {
    Vector psi = problem.psi;
    psi(psi.size() - 1) = std::log(lambda);
    const WorkingOperator k = WorkingCovariance(*problem.covariance, in_float.get()).at(psi);
    const LowRankPreconditioner p(pivoted_cholesky(*k.precise, {.rank = 8}), lambda);
    return fast_solves_pay(k, p, problem.y, cg);
  };
  EXPECT_TRUE(pay(0.1));
  EXPECT_FALSE(pay(1e-9));
}

TEST(PreconditionerChoice, TakesOneThatPaysAndIsReproducible) {
  const Problem problem("rbf", 600, 2);
  const auto k = problem.covariance->at(problem.psi);
  for (const Index neighbours : {0, 10}) {
    const PreconditionerOptions most{.rank = 300, .neighbours = neighbours};
    const auto choose = [&] {
      return choose_preconditioner(*k, problem.x.cols(), problem.y, most);
    };
    const PreconditionerChoice choice = choose(), again = choose();
    EXPECT_EQ(choice.preconditioner->rank(), again.preconditioner->rank());
    EXPECT_EQ(choice.preconditioner->neighbours(), again.preconditioner->neighbours());
    EXPECT_LE(choice.preconditioner->neighbours(), neighbours);
    Matrix x = Matrix::Zero(600, 1);
    const SolveSummary plain = conjugate_gradients(
        *k, nullptr, problem.y, x, {.tolerance = 0.01 * std::sqrt(600.0), .verify = false});
    EXPECT_LT(choice.iterations, plain.iterations);
  }
}

// A rough kernel of two inputs with little noise; and a smooth one, which a low rank is.
TEST(PreconditionerChoice, TakesNeighboursWhereTheyPay) {
  const Index n = 1200;
  const Matrix x = testing::normal_matrix(n, 2, 3);
  const Vector y = testing::normal_matrix(n, 1, 4);
  const auto neighbours = [&](const std::string& kernel, double tau) {
    const auto k = make_covariance(parse_kernel(kernel), x, {.backend = "dense"})
                       ->at(Vector{{0, std::log(tau), std::log(0.02)}});
    return choose_preconditioner(*k, 2, y, {.rank = 240, .neighbours = 20})
        .preconditioner->neighbours();
  };
  EXPECT_EQ(neighbours("matern12", 1), 20);
  EXPECT_EQ(neighbours("rbf", 0.05), 0);
}

}  // namespace
}  // namespace ulisse
