#pragma once

#include <cmath>

#include "ulisse/surrogate.h"

namespace ulisse {

// How far draws of a surrogate may be from the posterior, from gradients that it has not learnt
// from. With D = E |grad log surrogate - grad log posterior|^2 over the surrogate's draws, and a
// posterior whose log density has a curvature of at least c everywhere, the Wasserstein-2 distance
// of the two is at most sqrt(D) / c.
struct Certificate {
  // An upper limit of that distance, in posterior standard deviations: no mean is off by more.
  double limit = INFINITY;
  double level = 0;         // of the upper limit of D
  double divergence = NAN;  // the estimate of D, unbiased
  double divergence_limit = NAN;
  // The least curvature seen, of the surrogate at its draws and of the posterior between places
  // whose gradients are known; c is taken to be that. Negative: it is not log-concave.
  double curvature = NAN;
  double least_sd = NAN;  // of the draws, in any direction, in the units of both
  long gradients = 0;     // at fresh draws
  long attempts = 0;      // the level allows for all of them

  // At the estimate of D, for who wants to know how far there is to go.
  double distance() const { return std::sqrt(std::max(0.0, divergence)) / (curvature * least_sd); }

  template <class V>
  void fields(V& v) {
    v("limit", limit);
    v("level", level);
    v("divergence", divergence);
    v("divergence_limit", divergence_limit);
    v("curvature", curvature);
    v("least_sd", least_sd);
    v("gradients", gradients);
    v("attempts", attempts);
  }
};

// An upper limit of the mean that values come from, allowing for their skewness (Hall 1983), which
// is known to be at least so large. Infinite for fewer than three values.
double upper_limit_of_mean(const Vector& values, double level, double least_skewness = 0);

// Estimates of |grad log surrogate - grad log posterior|^2, unbiased: at each place from two
// gradients with independent errors, or from an exact one given twice.
double squared_error(const Surrogate& surrogate, const Lesson& first, const Lesson& second);

// The least eigenvalue of the surrogate's curvature at v, over the columns of draws.
double least_curvature(const Surrogate& surrogate, const Matrix& draws);

// The least mean curvature of the log posterior between two places whose gradients are known, at
// least a standard deviation apart: -(g - g')'(v - v') / |v - v'|^2, and twice the standard error
// of that. Infinite where there are no such places.
double least_curvature(const Whitening& whitening, const Lessons& lessons);

// From errors of gradients of so many parameters at fresh draws; see squared_error.
Certificate certify(const Vector& squared_errors, Index parameters, double level, double curvature,
                    double least_sd);

}  // namespace ulisse
