#pragma once

#include <algorithm>
#include <cmath>

namespace ulisse {

// Finds the step size at which the mean acceptance is `target_acceptance` (Hoffman and Gelman 2014,
// section 3.2, with their constants). During warm-up the step moves freely; what is used afterwards
// is an average that forgets the first iterations.
class DualAveraging {
 public:
  explicit DualAveraging(double target_acceptance) : target_acceptance_(target_acceptance) {}

  // Forgets everything; steps are drawn towards ten times `step_size`, since larger steps are
  // cheaper to try than smaller ones.
  void restart(double step_size) {
    anchor_ = std::log(10 * step_size);
    count_ = shortfall_ = log_average_ = 0;
  }

  // The step for the next iteration, given how the last one fared.
  double next(double accept_stat) {
    constexpr double kGamma = 0.05, kDelay = 10, kKappa = 0.75;
    ++count_;
    const double forget = 1 / (count_ + kDelay);
    shortfall_ += forget * (target_acceptance_ - std::min(1.0, accept_stat) - shortfall_);
    const double log_step = anchor_ - shortfall_ * std::sqrt(count_) / kGamma;
    log_average_ += std::pow(count_, -kKappa) * (log_step - log_average_);
    return std::exp(log_step);
  }

  // The step to keep.
  double average() const { return std::exp(log_average_); }

  template <class A>
  void archive(A& a) {
    a(anchor_, count_, shortfall_, log_average_);
  }

 private:
  double target_acceptance_;
  double anchor_ = 0, count_ = 0, shortfall_ = 0, log_average_ = 0;
};

}  // namespace ulisse
