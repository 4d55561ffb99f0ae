#pragma once

#include "ulisse/types.h"

namespace ulisse {

// Mean and covariance of the draws so far, by Welford's updates: no cancellation, and no draw
// is kept.
class RunningCovariance {
 public:
  explicit RunningCovariance(Index dimensions) { restart(dimensions); }

  void restart(Index dimensions) {
    count_ = 0;
    mean_ = Vector::Zero(dimensions);
    squares_ = Matrix::Zero(dimensions, dimensions);
  }

  void add(const Vector& draw) {
    ++count_;
    const Vector before = draw - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += (draw - mean_) * before.transpose();
  }

  int count() const { return count_; }
  const Vector& mean() const { return mean_; }

  // With n - 1; of one draw it is not a number.
  Matrix covariance() const { return (0.5 / (count_ - 1.0)) * (squares_ + squares_.transpose()); }

  // Shrunk towards a small multiple of the identity as if five more draws had said so (Stan's
  // choice): few draws give no singular metric, many are hardly changed.
  Matrix regularised_covariance() const {
    const double n = count_, weight = n / (n + 5);
    const Index d = mean_.size();
    return weight * covariance() + (1 - weight) * 1e-3 * Matrix::Identity(d, d);
  }

  template <class A>
  void archive(A& a) {
    a(count_, mean_, squares_);
  }

 private:
  int count_ = 0;
  Vector mean_;
  Matrix squares_;
};

}  // namespace ulisse
