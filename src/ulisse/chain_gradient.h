#pragma once

#include "sample/coordinates.h"
#include "ulisse/anchored_gradient.h"

namespace ulisse {

// The trace at the anchor as one chain estimates it: what the set-up averaged, and the probes that
// the chain has solved for since, all with the same weight. The chain's own are independent of
// those of other chains.
class OwnTrace {
 public:
  explicit OwnTrace(const Anchor& anchor)
      : anchor_(anchor), sum_(Vector::Zero(anchor.trace.value.size())) {}

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
// improved while the chain runs, until its error is small: by the probes of each estimate where
// those are fresh, which takes hardly anything, else by blocks of more, which take a tenth of the
// chain's time. A probe counts for the estimates after its own, so that an estimate's noise and the
// trace in it are independent.
class ChainGradient {
 public:
  struct Options {
    double error = 0;  // of the anchor's trace, in posterior standard deviations
    // How much of a block later the first one comes: chains that make theirs at the same time would
    // delay an interrupt by all of them.
    double delay = 0;
  };

  // All must outlive this.
  ChainGradient(const AnchoredGradient& gradient, const Coordinates& coordinates,
                const Options& options)
      : gradient_(gradient),
        coordinates_(coordinates),
        options_(options),
        trace_(gradient.anchor()) {}

  GradientEstimate estimate(const Vector& u, Rng& rng);
  Vector psi(const Vector& u) const { return coordinates_.psi(u); }

  const OwnTrace& trace() const { return trace_; }
  // The error of the trace (rms, as the set-up estimated it) over the estimates so far, on average.
  // That of the draws' mean is at most so large, and less over several chains, whose own probes
  // differ.
  double mean_error() const;

  template <class A>
  void archive(A& a) {
    a(trace_, estimates_, ratio_sum_, cost_, cost_of_blocks_, blocks_);
  }

 private:
  bool has_to_improve() const;
  bool may_take_a_block() const;
  void improve(AnchoredEstimate& estimate, Rng& rng);

  const AnchoredGradient& gradient_;
  const Coordinates& coordinates_;
  Options options_;
  OwnTrace trace_;
  long estimates_ = 0, blocks_ = 0;
  double ratio_sum_ = 0;
  double cost_ = 0, cost_of_blocks_ = 0;  // in products
};

}  // namespace ulisse
