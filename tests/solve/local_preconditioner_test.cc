// P = L L' + S with each row's neighbours, against dense algebra.

#include "solve/local_preconditioner.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "support/random_kernels.h"
#include "support/statistics.h"
#include "support/thread_counts.h"
#include "ulisse/solve.h"

namespace ulisse {
namespace {

using testing::mixed_table;
using testing::normal_matrix;
using testing::random_model;

struct System {
  System(unsigned seed, Index n)
      : data(mixed_table(n, seed)),
        model(random_model(seed, data)),
        psi(testing::random_psi(model, seed)),
        k(make_covariance(model, data.x, {.backend = "dense"})->at(psi)) {}

  std::shared_ptr<const Preconditioner> local(Index rank, Index neighbours) const {
    return std::make_shared<LocalPreconditioner>(
        *k, pivoted_cholesky(*k, {.rank = rank}),
        std::make_shared<const NearestEarlier>(nearest_earlier(k->scaled_points(), neighbours, 1)));
  }
  std::string name() const { return model.given.kernel; }

  Dataset data;
  Model model;
  Vector psi;
  std::unique_ptr<const CovarianceOperator> k;
};

Matrix dense(const LinearOperator& a) {
  Matrix all(a.size(), a.size());
  a.apply(Matrix::Identity(a.size(), a.size()), all);
  return all;
}

// P itself, from its inverse.
Matrix dense_of(const Preconditioner& p) {
  const Matrix inverse = dense(p);
  return (0.5 * (inverse + inverse.transpose())).inverse();
}

TEST(NearestEarlier, FindsTheNearestOfThoseBefore) {
  for (const Index d : {1, 2, 9}) {
    const Index n = 300, most = 7;
    Matrix x = normal_matrix(n, d, 5);
    x.bottomRows(40) = x.topRows(40);  // duplicates
    const NearestEarlier near = nearest_earlier(x, most, 3);
    Indices sorted = near.order;
    std::sort(sorted.begin(), sorted.end());
    for (Index i = 0; i < n; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(i)], i);
    for (Index place = 0; place < n; ++place) {
      const auto at = [&](Index i) { return x.row(near.order[static_cast<std::size_t>(i)]); };
      std::vector<std::pair<double, Index>> all;
      for (Index i = 0; i < place; ++i) all.emplace_back((at(i) - at(place)).squaredNorm(), i);
      std::sort(all.begin(), all.end());
      const auto found = near.of(place);
      ASSERT_EQ(found.size(), static_cast<std::size_t>(std::min(place, most)));
      for (std::size_t j = 0; j < found.size(); ++j) {
        EXPECT_NEAR((at(found[j]) - at(place)).squaredNorm(), all[j].first, 1e-12);
      }
    }
  }
}

TEST(LocalPreconditioner, WithAllNeighboursItIsTheCovariance) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const System system(seed, 40);
    const auto p = system.local(10, 39);
    const Matrix k = dense(*system.k), x = normal_matrix(40, 3, 1);
    Matrix solved(40, 3);
    p->apply(k * x, solved);
    EXPECT_LE((solved - x).norm(), 1e-7 * x.norm()) << system.name();
    const Eigen::LLT<Matrix> factor(k);
    EXPECT_NEAR(p->log_determinant(), 2 * Matrix(factor.matrixL()).diagonal().array().log().sum(),
                1e-7)
        << system.name();
  }
}

TEST(LocalPreconditioner, IsSymmetricAndPositiveWithItsLogDeterminant) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const System system(seed, 90);
    const auto p = system.local(12, 6);
    EXPECT_EQ(p->neighbours(), 6);
    EXPECT_EQ(p->rank(), 15);
    const Matrix inverse = dense(*p);
    EXPECT_LE((inverse - inverse.transpose()).norm(), 1e-10 * inverse.norm()) << system.name();
    const Eigen::SelfAdjointEigenSolver<Matrix> spectrum(inverse, Eigen::EigenvaluesOnly);
    EXPECT_GT(spectrum.eigenvalues().minCoeff(), 0) << system.name();
    EXPECT_NEAR(p->log_determinant(), -spectrum.eigenvalues().array().log().sum(), 1e-6)
        << system.name();
  }
}

// 1/2 tr(P^-1 dK_j), by the formula.
TEST(LocalPreconditioner, ItsTraceIsThatOfTheMatrix) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const System system(seed, 70);
    const auto p = system.local(8, 5);
    const Matrix inverse = dense(*p), unit = Matrix::Identity(70, 70);
    const Vector expected = 0.5 * system.k->gradient_forms(inverse, unit);
    EXPECT_LE((p->half_trace(*system.k) - expected).norm(), 1e-9 * (1 + expected.norm()))
        << system.name();
  }
}

// z ~ N(0, P): E z z' = P. 20,000 draws, a false alarm once in a million for each element.
TEST(LocalPreconditioner, SamplesHaveItsCovariance) {
  const System system(4, 14);
  const auto p = system.local(3, 3);
  Rng rng = stream(3, 0, Purpose::probes);
  const Matrix z = p->sample(20'000, rng), expected = dense_of(*p);
  for (Index i = 0; i < 14; ++i) {
    for (Index j = 0; j <= i; ++j) {
      const Vector products = z.row(i).cwiseProduct(z.row(j)).transpose();
      const double sd =
          std::sqrt(expected(i, i) * expected(j, j) + expected(i, j) * expected(i, j));
      EXPECT_LT(std::abs(testing::z_score(products, expected(i, j), sd)), testing::kOneInAMillion);
    }
  }
}

// Two inputs and a rough kernel, with little noise: what a map is.
TEST(LocalPreconditioner, AMapTakesFewIterations) {
  const Index n = 1500;
  const Matrix x = normal_matrix(n, 2, 7);
  const Model model = make_model(parse_kernel("matern12"), 2);
  const Vector psi = Vector{{0, 0, std::log(0.02)}};
  const auto k = make_covariance(model, x, {.backend = "dense"})->at(psi);
  Rng rng = stream(5, 0, Purpose::probes);
  Matrix b(n, 2);
  b << rng.normal_vector(n), rng.normal_vector(n);
  const auto iterations = [&](Index neighbours) {
    const auto p = make_preconditioner(*k, {.rank = 100, .neighbours = neighbours});
    Matrix s = Matrix::Zero(n, 2);
    const SolveSummary solve = conjugate_gradients(*k, p.get(), b, s, {.tolerance = 1e-6});
    EXPECT_EQ(solve.stop, Stop::converged) << solve.message;
    return solve.iterations;
  };
  EXPECT_LT(4 * iterations(30), iterations(0));
}

// Each search would look at all rows.
TEST(LocalPreconditioner, ManyInputsHaveNoNeighbours) {
  for (const Index d : {8, 9}) {
    const auto k =
        make_covariance(parse_kernel("rbf"), normal_matrix(200, d, 2))->at(Vector{{0, 0, -1}});
    EXPECT_EQ(make_preconditioner(*k, {.rank = 20, .neighbours = 5})->neighbours(), d > 8 ? 0 : 5);
  }
}

TEST(LocalPreconditioner, ThreadsDoNotChangeASingleBit) {
  const System system(6, 1300);
  testing::expect_same_bits_on_any_threads([&] {
    const auto p = system.local(40, 8);
    Rng rng = stream(3, 0, Purpose::probes);
    const Matrix z = p->sample(3, rng);
    Matrix x(1300, 3);
    p->apply(z, x);
    x.col(2).head(system.psi.size()) += p->half_trace(*system.k);
    return x;
  });
}

TEST(LocalPreconditioner, ResultMayOverwriteItsArgument) {
  const System system(7, 50);
  const auto p = system.local(5, 4);
  const Matrix x = normal_matrix(50, 3, 7);
  Matrix y(50, 3), in_place = x;
  p->apply(x, y);
  p->apply(in_place, in_place);
  EXPECT_EQ(y, in_place);
}

}  // namespace
}  // namespace ulisse
