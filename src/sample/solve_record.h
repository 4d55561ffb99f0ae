#pragma once

#include <algorithm>

#include "sample/transition.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse {

// What the solves of a chain on stochastic gradients have taken so far, for its summary.
struct SolveRecord {
  long iterations = 0, products = 0;
  long untrustworthy = 0;  // solves whose variance rests on events too rare to occur
  long unfinished = 0;     // solves that hit the iteration limit or broke down
  double terms = 0;        // taken after the early stop, mean over solves; summed over iterations

  void add(const UnbiasedSummary& solves) {
    ++iterations;
    products += solves.solve.products + solves.solve.exact_products;
    untrustworthy += solves.untrustworthy();
    terms += solves.mean_terms();
    unfinished += solves.solve.unfinished();
  }

  // Of a number that was summed over iterations.
  double mean(double sum) const { return sum / static_cast<double>(std::max(1L, iterations)); }
  double mean_products() const { return mean(static_cast<double>(products)); }

  template <class A>
  void archive(A& a) {
    a(iterations, products, untrustworthy, unfinished, terms);
  }
};

// Of a sampler that accepts everything and never knows the density.
inline Transition gradient_transition(const Vector& psi, double step,
                                      const GradientEstimate& estimate) {
  return {.psi = psi,
          .log_density = 0,
          .accept_stat = 1,
          .step_size = step,
          .leapfrogs = static_cast<int>(estimate.solves.solve.products +
                                        estimate.solves.solve.exact_products),
          .energy = 0};
}

}  // namespace ulisse
