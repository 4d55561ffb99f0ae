#pragma once

#include "gradient/anchored_gradient.h"
#include "gradient/coordinates.h"

namespace ulisse {

// The trace at the anchor as one chain believes it: what the set-up averaged, and the probes that
// the chain has solved for since, all with the same weight. The chain's own are independent of
// those of other chains.
class OwnTrace {
 public:
  explicit OwnTrace(const Anchor& anchor)
      : anchor_(anchor), sum_(Vector::Zero(anchor.trace.size())) {}

  void add(const Matrix& traces);
  Vector value() const;
  long probes() const { return probes_; }  // of its own
  // Its error over the set-up's: every probe counts alike.
  double error_ratio() const;

  template <class A>
  void archive(A& a) {
    a(probes_, sum_);
  }

 private:
  const Anchor& anchor_;
  long probes_ = 0;
  Vector sum_;
};

// The gradient that one chain sees. Where the trace at the anchor is an average it goes on to be
// improved while the chain runs: by the probes of each estimate where those are fresh, which takes
// nothing, else by blocks of more, which take a tenth of the chain's products. A probe counts for
// the estimates after its own, which so stay unbiased.
class ChainGradient {
 public:
  // `error` is that of the anchor's trace, in posterior standard deviations. The others must
  // outlive this.
  ChainGradient(const AnchoredGradient& gradient, const Coordinates& coordinates, double error)
      : gradient_(gradient), coordinates_(coordinates), trace_(gradient.anchor()), error_(error) {}

  GradientEstimate estimate(const Vector& u, Rng& rng);
  Vector psi(const Vector& u) const { return coordinates_.psi(u); }

  const OwnTrace& trace() const { return trace_; }
  // The error of the trace over the estimates so far, on average: what the mean of the draws is off
  // by is at most that, and less by as much as chains' own probes differ.
  double mean_error() const;

  template <class A>
  void archive(A& a) {
    a(trace_, estimates_, ratio_sum_, products_, products_for_trace_);
  }

 private:
  bool may_improve() const;
  void improve(AnchoredEstimate& estimate, Rng& rng);

  const AnchoredGradient& gradient_;
  const Coordinates& coordinates_;
  OwnTrace trace_;
  double error_;
  long estimates_ = 0;
  double ratio_sum_ = 0;
  long products_ = 0, products_for_trace_ = 0;
};

}  // namespace ulisse
