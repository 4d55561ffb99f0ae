#pragma once

#include <array>
#include <cstdint>

#include "ulisse/types.h"

namespace ulisse {

// What random numbers are for: each purpose has its own stream, so that drawing more for one does
// not shift another.
enum class Purpose : std::uint32_t {
  pivots = 1,
  probes = 2,
  subset = 3,
  simulation = 4,
  transition = 5,
  truncation = 6,
  start = 7,
  trend = 8,
  surrogate = 9,
  places = 10
};

// Counter-based (Philox): the numbers of a stream are a function of (seed, chain, purpose,
// iteration), not of what was drawn before. Results then do not depend on threads, and a resumed
// run repeats the interrupted one.
class Rng {
 public:
  Rng(std::uint64_t seed, std::uint32_t chain, Purpose purpose, std::uint64_t iteration);

  std::uint64_t bits();
  double uniform();          // in (0, 1)
  double normal();           // standard normal
  Index below(Index limit);  // 0, ..., limit - 1, each as likely
  Vector normal_vector(Index n);
  Vector rademacher_vector(Index n);  // -1 or 1

 private:
  void refill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> buffer_{};
  int left_ = 0;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

inline Rng stream(std::uint64_t seed, std::uint32_t chain, Purpose purpose,
                  std::uint64_t iteration = 0) {
  return {seed, chain, purpose, iteration};
}

}  // namespace ulisse
