#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace ulisse {

// Steps and gradient noise along a chain, for plots and diagnostics. Stays short: when it is full,
// every other entry goes, and from then on every other is taken.
struct NoiseHistory {
  std::vector<long> iterations;  // done when it was noted
  std::vector<double> steps;
  std::vector<double> ratios;  // variance of the gradients' noise over that of the noise injected
  long every = 1, offered = 0;

  void add(long iteration, double step, double ratio) {
    constexpr std::size_t kMaxEntries = 400;
    if (offered++ % every != 0) return;
    if (iterations.size() == kMaxEntries) {
      drop_every_other(iterations);
      drop_every_other(steps);
      drop_every_other(ratios);
      every *= 2;
    }
    iterations.push_back(iteration);
    steps.push_back(step);
    ratios.push_back(ratio);
  }

  template <class A>
  void archive(A& a) {
    a(iterations, steps, ratios, every, offered);
    if (every < 1 || steps.size() != iterations.size() || ratios.size() != iterations.size()) {
      throw std::runtime_error("a saved history is not one");
    }
  }

 private:
  template <class T>
  static void drop_every_other(std::vector<T>& values) {
    for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
    values.resize((values.size() + 1) / 2);
  }
};

}  // namespace ulisse
