#pragma once

#include <cmath>

namespace ulisse {

// eps_t = a (b + t)^-gamma, with a and b such that the first step is `first` and step number
// `length` is `last`. After that it goes on falling.
class StepSchedule {
 public:
  StepSchedule(double first, double last, int length, double gamma) : gamma_(gamma) {
    const double ratio = std::pow(first / last, 1 / gamma);  // (b + length) / b
    b_ = ratio > 1 ? length / (ratio - 1) : INFINITY;
    a_ = first;
  }

  // Written as a multiple of the first step, so that a constant schedule (b infinite) is no case
  // of its own.
  double at(int t) const { return a_ * std::pow(1 + t / b_, -gamma_); }

 private:
  double gamma_, a_, b_;
};

}  // namespace ulisse
