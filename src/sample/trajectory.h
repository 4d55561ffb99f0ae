#pragma once

#include "sample/leapfrog.h"
#include "ulisse/types.h"

namespace ulisse {

// One end of a trajectory.
struct TrajectoryEnd {
  Vector momentum, velocity;
};

// What must be known of a stretch of leapfrog steps to join it to another.
struct Trajectory {
  TrajectoryEnd first, last;  // in the order in which they were integrated
  Vector momentum_sum;        // over its points
  double log_weight;          // log of the sum over its points of exp(start's energy - energy)
  PhasePoint choice;          // one of its points, drawn by weight
};

// The same points, integrated from the other side.
inline Trajectory reversed(Trajectory t) {
  std::swap(t.first, t.last);
  return t;
}

// The generalised criterion of Betancourt (2016): the ends no longer move apart, `momentum_sum`
// standing for the distance between them.
inline bool turns(const TrajectoryEnd& a, const TrajectoryEnd& b, const Vector& momentum_sum) {
  return a.velocity.dot(momentum_sum) <= 0 || b.velocity.dot(momentum_sum) <= 0;
}

// Whether b, integrated on from the end of a, turns back. Both ends can miss a turn: after a whole
// period they move as at the start. So each half is checked with the nearest point of the other, as
// in Stan since 2.21.
inline bool joined_turns(const Trajectory& a, const Trajectory& b) {
  return turns(a.first, b.last, a.momentum_sum + b.momentum_sum) ||
         turns(a.first, b.first, a.momentum_sum + b.first.momentum) ||
         turns(a.last, b.last, a.last.momentum + b.momentum_sum);
}

// log(exp(a) + exp(b)); each may be -infinity.
inline double log_sum_exp(double a, double b) {
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(smaller - larger));
}

}  // namespace ulisse
