#include "report/density.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ulisse/random.h"

namespace ulisse {
namespace {

double area(const Vector& x, const Vector& density) { return (x(1) - x(0)) * density.sum(); }

TEST(KernelDensity, IsThatOfTheLawTheDrawsAreFrom) {
  Rng rng = stream(1, 0, Purpose::transition, 0);
  const Vector draws = rng.normal_vector(20000);
  const Vector grid = density_grid(draws, 201);
  const Vector density = kernel_density(draws, grid);
  EXPECT_LT(grid(0), draws.minCoeff());
  EXPECT_GT(grid(200), draws.maxCoeff());
  EXPECT_NEAR(area(grid, density), 1, 1e-3);
  for (Index i = 0; i < grid.size(); ++i) {
    const double exact = std::exp(-grid(i) * grid(i) / 2) / std::sqrt(2 * std::numbers::pi);
    EXPECT_NEAR(density(i), exact, 0.02);
  }
}

TEST(KernelDensity, HasSilvermansBandwidth) {
  const Vector draws = (Vector(4) << 1, 2, 4, 7).finished();
  const double sd = std::sqrt(7.0), spread = (4.75 - 1.75) / 1.34;
  const double width = 0.9 * std::min(sd, spread) * std::pow(4, -0.2);
  double expected = 0;
  for (const double draw : draws) expected += std::exp(-0.5 * std::pow((draw - 3) / width, 2));
  expected /= 4 * width * std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(kernel_density(draws, Vector::Constant(1, 3.0))(0), expected, 1e-14);
}

TEST(KernelDensity, OfDrawsThatAreAllTheSameIsNothing) {
  const Vector draws = Vector::Constant(10, 2.0);
  const Vector grid = density_grid(draws, 5);
  EXPECT_LT(grid(0), 2);
  EXPECT_GT(grid(4), 2);
  EXPECT_EQ(kernel_density(draws, grid), Vector::Zero(5));
}

}  // namespace
}  // namespace ulisse
