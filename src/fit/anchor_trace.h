#pragma once

#include "fit/setup_work.h"
#include "fit/ulisse_setup.h"

namespace ulisse {

// 1/2 tr(K^-1 dK) at the anchor: exactly where that fits, else averaged over probes until its error
// is small against the posterior.
class AnchorTrace {
 public:
  AnchorTrace(const SetupWork& work, UlisseSetup& out) : work_(work), out_(out) {}

  void believe(const Matrix& metric);
  void refine(const Matrix& metric);

 private:
  bool exact_is_wanted() const;
  void make_exact();
  void consider_controls(const Matrix& factor);
  double probes_for(const Matrix& covariance, const Matrix& factor) const;
  double error(const Matrix& factor) const;

  const SetupWork& work_;
  UlisseSetup& out_;
  Rng rng_ = stream(work_.seed, 1, Purpose::probes);
};

}  // namespace ulisse
