// The mode of models of several terms, from the starting points alone.

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_kernels.h"
#include "support/sanitized.h"
#include "ulisse/exact.h"

namespace ulisse {
namespace {

using testing::mixed_table;

// No worse than any of many climbs would start from, and than where the parameters came from.
TEST(CompositeMode, IsATopForModelsByChance) {
  for (unsigned seed = 0; seed < (testing::kSanitized ? 3U : 15U); ++seed) {
    const Dataset data = mixed_table(80, seed);
    const Model model = testing::random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const ExactPosterior posterior(model, data.x, data.y);
    const Mode mode = find_mode(posterior, data.x, data.y);
    EXPECT_TRUE(mode.converged) << mode.message;
    EXPECT_LT(mode.gradient.cwiseAbs().maxCoeff(), 1e-2);
    for (unsigned other = 0; other < 30; ++other) {
      const Vector psi = testing::random_psi(model, 1000 + other);
      EXPECT_GE(mode.log_density, posterior.log_density(psi).value);
    }
  }
}

// A slow wave and a fast one, each by its own term of the same shape: the search must not give both
// terms to one of them.
TEST(CompositeMode, TermsOfTheSameShapeFindTheirOwnScales) {
  const Index n = 200;
  Dataset data{.x = Vector::LinSpaced(n, 0, 10), .y = Vector(n), .features = {"t"}, .target = "y"};
  data.y = (0.6 * data.x.col(0).array()).sin() * 1.5 + (9 * data.x.col(0).array()).sin() * 0.5 +
           0.05 * testing::normal_matrix(n, 1, 3).array();
  const Model model = make_model(ModelOptions{.kernel = "rbf(t) + rbf-ard(t)"}, data);
  const ExactPosterior posterior(model, data.x, data.y);
  const Mode mode = find_mode(posterior, data.x, data.y);
  EXPECT_TRUE(mode.converged) << mode.message;
  const double ratio = std::abs(mode.psi(1) - mode.psi(3));  // of log tau
  EXPECT_GT(ratio, std::log(20.0)) << mode.psi.transpose();
  EXPECT_LT(mode.psi(4), std::log(0.05)) << "the noise is 0.0025";
}

// The trend is not left to the kernel, nor the seasons to the noise.
TEST(CompositeMode, ATrendAndSeasonsAreFound) {
  const Index n = 240;
  Dataset data{.x = Vector::LinSpaced(n, 0, 20), .y = Vector(n), .features = {"t"}, .target = "y"};
  const auto t = data.x.col(0).array();
  data.y =
      0.5 * t + (2 * std::numbers::pi * t).cos() + 0.1 * testing::normal_matrix(n, 1, 4).array();
  const Model model = make_model(
      ModelOptions{.kernel = "periodic(t,1)*rbf(t) + matern32(t)", .trend = {"t"}}, data);
  const ExactPosterior posterior(model, data.x, data.y);
  const Mode mode = find_mode(posterior, data.x, data.y);
  EXPECT_TRUE(mode.converged) << mode.message;
  const double noise = model.noise_variance(mode.psi);
  EXPECT_GT(noise, 0.005);
  EXPECT_LT(noise, 0.02);
}

}  // namespace
}  // namespace ulisse
