// Metropolis steps on one density that a sampler on another proposes.

#include "sample/corrected.h"

#include <gtest/gtest.h>

#include "sample/nuts.h"
#include "sample/nuts_tree.h"
#include "support/chains.h"
#include "support/densities.h"
#include "support/invariance.h"

namespace ulisse {
namespace {

using testing::Banana;
using testing::draws_of;
using testing::expect_invariant;
using testing::expect_moments;
using testing::Gaussian;

// Not the banana's own: as wide, without its bend.
struct Approximation : Gaussian {
  Approximation() : Gaussian(Vector::Zero(2), Matrix{{1.2, 0}, {0, 1.6}}) {}
  Vector psi(const Vector& v) const { return v; }
  double of_psi(const Vector& /*v*/, double log_density) const { return log_density; }
};

// NUTS that learns nothing: its step does not depend on where it starts.
class FixedNuts {
 public:
  FixedNuts(const Approximation& target, Vector place)
      : target_(target), place_(std::move(place)), metric_(target.covariance()) {}

  Transition step(Rng& rng) {
    NutsTree tree(target_, metric_, {0.9, 10, 1000}, rng);
    PhasePoint start = at_rest(target_, place_);
    start.momentum = metric_.draw_momentum(rng);
    place_ = tree.draw(start).draw.psi;
    return {.psi = place_, .log_density = target_.log_density(place_).value};
  }
  const Vector& place() const { return place_; }
  double step_size() const { return 0.9; }
  bool move_to(const Vector& place) {
    place_ = place;
    return true;
  }

 private:
  const Approximation& target_;
  Vector place_;
  DenseMetric metric_;
};

TEST(Corrected, LeavesTheDensityAsItIsWhateverTheSurrogate) {
  const Approximation surrogate;
  struct : Banana {
    Vector mean_ = Vector::Zero(2);
    Matrix covariance_ = Banana::covariance();
    const Vector& mean() const { return mean_; }
    const Matrix& covariance() const { return covariance_; }
  } target;
  expect_invariant(target, [&](const Vector& psi, Rng& rng) {
    Corrected chain(FixedNuts(surrogate, psi), surrogate, target,
                    {.warmup = 0, .proposer_steps = 2});
    return chain.step(rng).psi;
  });
}

TEST(Corrected, FindsTheMomentsOfABanana) {
  const Approximation surrogate;
  const Banana target;
  Nuts<Approximation> proposer(surrogate, Vector::Zero(2), surrogate.covariance(),
                               {.warmup = 400, .learns_metric = false});
  Corrected chain(std::move(proposer), surrogate, target, {.warmup = 100});
  expect_moments(draws_of(chain, 100'000, 3), target.mean(), target.covariance());
  EXPECT_GT(chain.mean_acceptance(), 0.4);
  EXPECT_LT(chain.mean_acceptance(), 0.9);
}

TEST(Corrected, AsksForNoDensityBeforeTheEndOfWarmUp) {
  struct Counting : Banana {
    mutable int calls = 0;
    LogDensity log_density(const Vector& psi) const {
      ++calls;
      return evaluate(psi);
    }
  } target;
  const Approximation surrogate;
  Nuts<Approximation> proposer(surrogate, Vector::Zero(2), surrogate.covariance(),
                               {.warmup = 150, .learns_metric = false});
  Corrected chain(std::move(proposer), surrogate, target, {.warmup = 50, .corrected_warmup = 20});
  for (int i = 0; i < 30; ++i) testing::advance(chain, 1, i);
  EXPECT_EQ(target.calls, 0);
  for (int i = 30; i < 50; ++i) testing::advance(chain, 1, i);
  EXPECT_EQ(target.calls, 21) << "one where it was, and one for each proposal";
  EXPECT_FALSE(chain.warming_up());
}

}  // namespace
}  // namespace ulisse
