// Preconditioners of covariances with a trend and noise of each row.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/random_kernels.h"
#include "support/statistics.h"
#include "support/thread_counts.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::mixed_table;
using testing::normal_matrix;
using testing::random_model;

struct CompositeSystem {
  explicit CompositeSystem(unsigned seed, Index n = 120)
      : data(mixed_table(n, seed)),
        model(random_model(seed, data)),
        k(make_covariance(model, data.x, {.backend = "dense"})
              ->at(testing::random_psi(model, seed))) {}

  Matrix dense() const {
    Matrix all(k->size(), k->size());
    k->apply(Matrix::Identity(k->size(), k->size()), all);
    return all;
  }

  Dataset data;
  Model model;
  std::unique_ptr<const CovarianceOperator> k;
};

TEST(CompositePreconditioner, TheFactorHasTheTrendExactlyAndNeverMoreThanTheKernel) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CompositeSystem system(seed);
    for (const Pivoting pivoting : {Pivoting::random, Pivoting::greedy}) {
      const Matrix l = pivoted_cholesky(*system.k, {.rank = 30, .pivoting = pivoting});
      ASSERT_EQ(l.leftCols(3), system.k->trend());
      ASSERT_LE(l.cols(), 33);
      Matrix left = system.dense() - l * l.transpose();
      left.diagonal() -= system.k->noise();
      const double size = system.k->kernel().variance();
      const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(left, Eigen::EigenvaluesOnly);
      EXPECT_GE(spectrum.eigenvalues().minCoeff(), -1e-10 * size) << system.model.given.kernel;
    }
  }
}

TEST(CompositePreconditioner, AFullFactorIsTheCovariance) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CompositeSystem system(seed, 60);
    const Matrix l = pivoted_cholesky(*system.k, {.rank = 60, .pivoting = Pivoting::greedy});
    const LowRankPreconditioner p(l, system.k->noise());
    const Matrix dense = system.dense(), x = normal_matrix(60, 3, 1);
    Matrix solved(60, 3);
    p.apply(dense * x, solved);
    EXPECT_LE((solved - x).norm(), 1e-7 * x.norm()) << system.model.given.kernel;
    const Eigen::LLT<Matrix> factor(dense);
    EXPECT_NEAR(p.log_determinant(), 2 * Matrix(factor.matrixL()).diagonal().array().log().sum(),
                1e-7);
  }
}

TEST(CompositePreconditioner, SolvesMeetDenseOnesInFewerIterations) {
  long without = 0, with = 0;
  for (unsigned seed = 0; seed < 8; ++seed) {
    const CompositeSystem system(seed, 300);
    const Matrix b = normal_matrix(300, 3, 2), expected = system.dense().llt().solve(b);
    const LowRankPreconditioner p(pivoted_cholesky(*system.k, {.rank = 60}), system.k->noise());
    for (const LinearOperator* preconditioner :
         {static_cast<const LinearOperator*>(nullptr), static_cast<const LinearOperator*>(&p)}) {
      Matrix x = Matrix::Zero(300, 3);
      const SolveSummary summary =
          conjugate_gradients(*system.k, preconditioner, b, x, {.tolerance = 1e-8});
      ASSERT_EQ(summary.stop, Stop::converged) << summary.message;
      EXPECT_LE((x - expected).norm(), 1e-6 * expected.norm()) << system.model.given.kernel;
      (preconditioner == nullptr ? without : with) += summary.products;
    }
  }
  EXPECT_LT(2 * with, without);
}

// z ~ N(0, P): E z z' = P. 20,000 draws, a false alarm once in a million for each element.
TEST(CompositePreconditioner, SamplesHaveItsCovariance) {
  const CompositeSystem system(4, 12);
  const Matrix l = pivoted_cholesky(*system.k, {.rank = 5});
  const LowRankPreconditioner p(l, system.k->noise());
  Rng rng = stream(3, 0, Purpose::probes);
  const Matrix z = p.sample(20'000, rng);
  Matrix expected = l * l.transpose();
  expected.diagonal() += system.k->noise();
  for (Index i = 0; i < 12; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Vector products = z.row(i).cwiseProduct(z.row(j)).transpose();
      const double sd =
          std::sqrt(expected(i, i) * expected(j, j) + expected(i, j) * expected(i, j));
      EXPECT_LT(std::abs(testing::z_score(products, expected(i, j), sd)), testing::kOneInAMillion);
    }
  }
}

TEST(CompositePreconditioner, ThreadsDoNotChangeASingleBit) {
  const CompositeSystem system(6, 600);
  testing::expect_same_bits_on_any_threads([&] {
    const LowRankPreconditioner p(pivoted_cholesky(*system.k, {.rank = 60}), system.k->noise());
    Matrix x = Matrix::Zero(600, 2);
    conjugate_gradients(*system.k, &p, normal_matrix(600, 2, 3), x, {.tolerance = 1e-6});
    return x;
  });
}

}  // namespace
}  // namespace ulisse
