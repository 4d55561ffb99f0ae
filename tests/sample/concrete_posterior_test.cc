// The posterior of a real Gaussian process: Concrete, against METHOD.md, and a part of it by two
// samplers that share nothing but the density. Fixed seeds; each comparison raises a false alarm
// once in a million.

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "support/chains.h"
#include "support/concrete.h"
#include "support/gamma_priors.h"

namespace ulisse {
namespace {

using testing::concrete;
using testing::concrete_mode;
using testing::draws_of;

// METHOD.md, part C: importance sampling, 2,559 effective draws.
const Vector kMean{{1.834, -2.518, -2.706}}, kSd{{0.240, 0.134, 0.0628}};
constexpr double kReferenceDraws = 2559;

// Draws worth at least `worth` independent ones each for means, half as much for variances. Errors
// of this size of the draws and of the reference, and of its third digit.
void expect_concrete(const Matrix& draws, double worth) {
  const double effective = worth * static_cast<double>(draws.rows());
  const double share = std::sqrt(1 / effective + 1 / kReferenceDraws);
  const double variance_share = std::sqrt(4 / effective + 2 / kReferenceDraws);
  for (Index i = 0; i < 3; ++i) {
    const double mean = draws.col(i).mean();
    EXPECT_LT(std::abs(mean - kMean(i)), 4.892 * share * kSd(i) + 5e-4) << i << ": " << mean;
    const double variance = (draws.col(i).array() - kMean(i)).square().mean();
    EXPECT_LT(std::abs(variance / (kSd(i) * kSd(i)) - 1), 4.892 * variance_share + 5e-3)
        << i << ": sd " << std::sqrt(variance);
  }
}

Matrix inverse_information(const ExactPosterior& posterior, const Vector& psi) {
  return (-posterior.hessian(psi)).inverse();
}

TEST(ConcretePosterior, MetropolisAgreesWithMethod) {
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  const Vector mode = concrete_mode();
  Metropolis mh(posterior, mode, mode, inverse_information(posterior, mode), {.warmup = 50});
  expect_concrete(draws_of(mh, 600, 1), 0.5);
}

TEST(ConcretePosterior, NutsAgreesWithMethod) {
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors),
                                 concrete().x, concrete().y);
  const Vector mode = concrete_mode();
  Nuts nuts(posterior, mode, inverse_information(posterior, mode), {.warmup = 19});
  expect_concrete(draws_of(nuts, 80, 2), 0.7);
}

// 100 rows: many draws, and a posterior less Gaussian than that of all rows.
TEST(ConcretePosterior, NutsAndMetropolisAgreeOnAPart) {
  const Matrix x = concrete().x.topRows(100);
  const Vector y = concrete().y.head(100);
  const ExactPosterior posterior(make_model(parse_kernel("rbf"), 8, testing::kGammaPriors), x, y);
  const Mode mode = find_mode(posterior, x, y);
  Nuts nuts(posterior, mode.psi, mode.covariance, {.warmup = 200});
  Metropolis mh(posterior, mode.psi, mode.psi, mode.covariance);
  const Matrix a = draws_of(nuts, 2000, 3), b = draws_of(mh, 10'000, 4);
  for (Index i = 0; i < 3; ++i) {
    const double mean = b.col(i).mean();
    testing::expect_mean(a.col(i), mean, "mean", testing::batch_standard_error(b.col(i)));
    const Vector a2 = (a.col(i).array() - mean).square(), b2 = (b.col(i).array() - mean).square();
    testing::expect_mean(a2, b2.mean(), "variance", testing::batch_standard_error(b2));
  }
}

}  // namespace
}  // namespace ulisse
