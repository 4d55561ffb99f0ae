#pragma once

#include "ulisse/types.h"

namespace ulisse {

// A mixture of Gaussians with equal weights: what a prediction is when each draw of the parameters
// gives one Gaussian. sd may be 0, for a point that is known.
class GaussianMixture {
 public:
  // Throws std::invalid_argument unless there is one sd >= 0 for each mean.
  GaussianMixture(Vector mean, Vector sd);

  double mean() const;
  double sd() const;  // of the mixture: the spread within the parts and between them
  double probability_below(double y) const;
  double log_density(double y) const;

  // The y below which the mixture has probability p, in (0, 1), to nearly the last digit.
  double quantile(double p) const;

  // Continuous ranked probability score, E|Y - y| - E|Y - Y'|/2: smaller is better, in y's units.
  double crps(double y) const;

 private:
  Vector mean_, sd_;
};

}  // namespace ulisse
