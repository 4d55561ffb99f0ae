// Which sampler `auto` takes, and why.

#include "fit/sampler_choice.h"

#include <gtest/gtest.h>

#include "support/concrete.h"
#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::concrete;
using testing::contains;

constexpr std::size_t kMuch = 100'000'000'000;

TEST(SamplerChoice, WhatIsQuickIsExact) {
  const SamplerCosts costs{.likelihood = 0.04, .gradient = 0.008, .product = 1e-6};
  EXPECT_EQ(choose_sampler(1030, 3, costs, kMuch).sampler, "mh");
  EXPECT_TRUE(contains(to_text(choose_sampler(1030, 3, costs, kMuch).reason), "1030 rows"));
  EXPECT_TRUE(contains(to_text(choose_sampler(1030, 3, costs, kMuch).reason), "quick enough"));
  EXPECT_EQ(choose_sampler(1030, 10, costs, kMuch).sampler, "nuts");
}

TEST(SamplerChoice, WhatIsSlowIsNot) {
  const SamplerCosts costs{.likelihood = 1, .gradient = 3, .product = 0.01};
  const SamplerChoice choice = choose_sampler(6000, 3, costs, kMuch);
  EXPECT_EQ(choice.sampler, "ulisse");
  EXPECT_TRUE(contains(to_text(choice.reason), "mh would take about 1.7 h"))
      << to_text(choice.reason);
  EXPECT_TRUE(contains(to_text(choice.reason), "ulisse about 30 s")) << to_text(choice.reason);
}

TEST(SamplerChoice, ManyParametersTakeALikelihoodForEachDraw) {
  const SamplerCosts costs{.likelihood = 0.5, .gradient = 1.5, .product = 0.01};
  const SamplerChoice choice = choose_sampler(4500, 12, costs, kMuch);
  EXPECT_EQ(choice.sampler, "ulisse");
  EXPECT_TRUE(contains(to_text(choice.reason), "ulisse about 23 min")) << to_text(choice.reason);
}

TEST(SamplerChoice, SlowProductsLeaveAnExactOne) {
  const SamplerCosts costs{.likelihood = 1, .gradient = 3, .product = 3};
  const SamplerChoice choice = choose_sampler(6000, 3, costs, kMuch);
  EXPECT_EQ(choice.sampler, "mh");
  EXPECT_TRUE(contains(to_text(choice.reason), "no more than ulisse")) << to_text(choice.reason);
}

TEST(SamplerChoice, WhatDoesNotFitIsNotExact) {
  const SamplerCosts costs{.likelihood = 0.01, .gradient = 0.03, .product = 0.001};
  const SamplerChoice choice = choose_sampler(10000, 3, costs, 700'000'000);
  EXPECT_EQ(choice.sampler, "ulisse");
  EXPECT_TRUE(contains(to_text(choice.reason), "memory"));
  EXPECT_EQ(choose_sampler(10000, 3, costs, 900'000'000).sampler, "mh");
}

// Timings are noisy: ten times the rows take a thousand times as long for a likelihood and a
// hundred times for a product, and surely ten and five times.
TEST(SamplerChoice, CostsAreMeasuredAndGrow) {
  const Model model = make_model(parse_kernel("rbf"), 8);
  Dataset large;
  large.x = concrete().x.replicate(10, 1);
  large.y = concrete().y.replicate(10, 1);
  const SamplerCosts small = measure_costs(model, concrete()), big = measure_costs(model, large);
  for (const double cost : {small.likelihood, small.gradient, small.product}) EXPECT_GT(cost, 0);
  EXPECT_GT(big.likelihood, 10 * small.likelihood);
  EXPECT_GT(big.gradient, 10 * small.gradient);
  EXPECT_GT(big.product, 5 * small.product);
}

}  // namespace
}  // namespace ulisse
