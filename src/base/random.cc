#include "ulisse/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ulisse {

namespace {

using Philox = r123::Philox4x32;

// Seed, chain and purpose to a key: one more round of the same cipher mixes them well.
std::array<std::uint32_t, 2> mixed_key(std::uint64_t seed, std::uint32_t chain, Purpose purpose) {
  const Philox::ctr_type in = {{static_cast<std::uint32_t>(seed),
                                static_cast<std::uint32_t>(seed >> 32), chain,
                                static_cast<std::uint32_t>(purpose)}};
  const auto out = Philox()(in, Philox::key_type{{0, 0}});
  return {out[0], out[1]};
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint32_t chain, Purpose purpose, std::uint64_t iteration)
    : key_(mixed_key(seed, chain, purpose)),
      counter_{0, 0, static_cast<std::uint32_t>(iteration),
               static_cast<std::uint32_t>(iteration >> 32)} {}

void Rng::refill() {
  const Philox::ctr_type in = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const auto out = Philox()(in, Philox::key_type{{key_[0], key_[1]}});
  for (int i = 0; i < 2; ++i) buffer_[i] = (std::uint64_t{out[2 * i + 1]} << 32) | out[2 * i];
  left_ = 2;
  if (++counter_[0] == 0) ++counter_[1];
}

std::uint64_t Rng::bits() {
  if (left_ == 0) refill();
  return buffer_[--left_];
}

// 53 bits, moved by half a step off 0 and 1.
double Rng::uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }

// Box-Muller: a fixed number of uniforms for each pair, unlike rejection methods.
double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  const double radius = std::sqrt(-2 * std::log(uniform())),
               angle = 2 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

// Off from uniform by less than limit / 2^53. The product can round up to limit itself.
Index Rng::below(Index limit) {
  return std::min(limit - 1, static_cast<Index>(uniform() * static_cast<double>(limit)));
}

Vector Rng::normal_vector(Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v(i) = normal();
  return v;
}

Vector Rng::rademacher_vector(Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v(i) = (bits() >> 63) != 0 ? 1 : -1;
  return v;
}

}  // namespace ulisse
