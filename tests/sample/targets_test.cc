// Samplers that accept and reject take exact densities only.

#include "sample/targets.h"

#include <gtest/gtest.h>

#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "support/densities.h"
#include "support/derivatives.h"
#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::Banana;
using testing::contains;
using testing::correlated_gaussian;
using testing::Gaussian;
using testing::gradient_of;
using testing::message_of;
using testing::TruncatedGaussian;

// An estimate of the gradient, as SGLD wants it.
struct StochasticTarget {
  Vector estimate_gradient(const Vector& psi, Rng& rng) const;
};

// An estimate of the density, too.
struct NoisyDensity {
  LogDensity log_density(const Vector& psi, Rng& rng) const;
  LogDensity log_density_and_gradient(const Vector& psi, Rng& rng) const;
};

template <class T>
concept NutsTakes = requires {
  typename Nuts<T>;
};
template <class T>
concept MetropolisTakes = requires {
  typename Metropolis<T>;
};

static_assert(NutsTakes<ExactPosterior> && MetropolisTakes<ExactPosterior>);
static_assert(NutsTakes<Gaussian> && MetropolisTakes<Gaussian>);
static_assert(!NutsTakes<StochasticTarget> && !MetropolisTakes<StochasticTarget>);
static_assert(!NutsTakes<NoisyDensity> && !MetropolisTakes<NoisyDensity>);
static_assert(Sampler<Nuts<Gaussian>> && Sampler<Metropolis<Gaussian>>);

TEST(DensityTarget, AChainDoesNotStartAtARejectedPoint) {
  const TruncatedGaussian target;
  const Vector outside = Vector::Constant(2, -1);
  const Matrix identity = Matrix::Identity(2, 2);
  for (const std::string& message :
       {message_of<std::invalid_argument>([&] { Nuts(target, outside, identity); }),
        message_of<std::invalid_argument>(
            [&] { Metropolis(target, outside, outside, identity); })}) {
    EXPECT_TRUE(contains(message, "below the bound")) << message;
  }
}

template <class Target>
void expect_gradient(const Target& target, const Vector& psi) {
  const auto value = [&](const Vector& at) { return target.log_density(at).value; };
  const Vector expected = gradient_of(value, psi);
  EXPECT_LT((target.log_density_and_gradient(psi).gradient - expected).norm(), 1e-6);
}

TEST(TestDensities, GradientsMeetFiniteDifferences) {
  Rng rng = stream(1, 0, Purpose::simulation);
  for (int trial = 0; trial < 10; ++trial) {
    const Gaussian gaussian = correlated_gaussian(3);
    expect_gradient(gaussian, gaussian.draw(rng));
    expect_gradient(Banana(), Banana().draw(rng));
    expect_gradient(TruncatedGaussian(), TruncatedGaussian().draw(rng));
  }
}

}  // namespace
}  // namespace ulisse
