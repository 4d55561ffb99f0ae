#include "ulisse/surrogate_draws.h"

#include "base/watch.h"
#include "sample/nuts.h"
#include "ulisse/random.h"

namespace ulisse {

Matrix draws_of(const Surrogate& surrogate, Index count, std::uint64_t seed, std::uint64_t number) {
  constexpr int kWarmup = 150, kThinning = 3;
  const Index p = surrogate.whitening().parameters();
  Nuts<Surrogate> sampler(surrogate, Vector::Zero(p), Matrix::Identity(p, p), {.warmup = kWarmup});
  Rng rng = stream(seed, 0, Purpose::surrogate, number);
  while (sampler.warming_up()) sampler.step(rng);
  Matrix draws(p, count);
  for (Index i = 0; i < count; ++i) {
    keep_watch();
    for (int k = 0; k < kThinning; ++k) draws.col(i) = sampler.step(rng).psi;
  }
  return draws;
}

}  // namespace ulisse
