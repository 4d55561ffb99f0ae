#include "ulisse/random.h"

#include <Random123/philox.h>
#include <oneapi/tbb/parallel_for.h>

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

// A pair of normals takes what one count of the cipher gives, so that threads can begin anywhere
// where none is begun.
Vector Rng::normal_vector(Index n) {
  constexpr Index kPiece = 8192;  // normals: a tenth of a millisecond
  Vector v(n);
  Index i = 0;
  if (n > kPiece && has_spare_) v(i++) = normal();
  if (n - i > kPiece && left_ == 0) {
    const Index even = (n - i) / 2 * 2;
    const auto at = [&](Index number) {
      Rng there = *this;
      const std::uint64_t count = ((std::uint64_t{counter_[1]} << 32) | counter_[0]) +
                                  static_cast<std::uint64_t>(number) / 2;
      there.counter_[0] = static_cast<std::uint32_t>(count);
      there.counter_[1] = static_cast<std::uint32_t>(count >> 32);
      return there;
    };
    tbb::parallel_for(Index(0), (even + kPiece - 1) / kPiece, [&](Index piece) {
      const Index first = piece * kPiece, count = std::min(kPiece, even - first);
      Rng there = at(first);
      for (double& value : v.segment(i + first, count)) value = there.normal();
    });
    *this = at(even);
    i += even;
  }
  while (i < n) v(i++) = normal();
  return v;
}

Vector Rng::rademacher_vector(Index n) {
  Vector v(n);
  for (Index i = 0; i < n; ++i) v(i) = (bits() >> 63) != 0 ? 1 : -1;
  return v;
}

}  // namespace ulisse
