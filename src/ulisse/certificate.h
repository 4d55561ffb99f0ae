#pragma once

#include <cmath>

#include "ulisse/surrogate.h"

namespace ulisse {

// How far draws of a surrogate may be from the posterior, from gradients that it has not learnt
// from. With D = E |grad log surrogate - grad log posterior|^2 over the surrogate's draws, and a
// posterior whose log density has a curvature of at least c everywhere, the Wasserstein-2 distance
// of the two is at most sqrt(D) / c.
struct Certificate {
  // An upper limit of that distance, in posterior standard deviations of log parameters: no mean of
  // these is off by more.
  double limit = INFINITY;
  double level = 0;         // of the upper limit of D, nominally: errors may have heavy tails
  double divergence = NAN;  // the estimate of D, unbiased
  double divergence_limit = NAN;
  // The least curvature seen, of the surrogate at its draws and of the posterior between places
  // whose gradients are known; c is taken to be that. Negative: it is not log-concave.
  double curvature = NAN;
  double least_sd = NAN;  // of the draws, in any direction, in the units of both
  long gradients = 0;     // at fresh draws
  long attempts = 0;      // the level allows for all of them

  // At the estimate of D, for who wants to know how far there is to go; or at its error, where that
  // is larger.
  double distance() const { return error() / (curvature * least_sd); }
  double error() const {
    constexpr double kErrorsOfALimit = 4;
    const double found = std::max(0.0, divergence);
    return std::sqrt(std::max(found, (divergence_limit - found) / kErrorsOfALimit));
  }

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

// The same from what is known of the values.
struct SampleSpread {
  double mean = 0, sd = 0, skewness = 0;
};
double upper_limit_of_mean(const SampleSpread& of_values, Index count, double level);

// Estimates of |grad log surrogate - grad log posterior|^2, unbiased: at each place from two
// gradients with independent errors, or from an exact one given twice.
double squared_error(const Surrogate& surrogate, const Lesson& first, const Lesson& second);

// The least eigenvalue of the surrogate's curvature at v, over the columns of draws.
double least_curvature(const Surrogate& surrogate, const Matrix& draws);

// The least mean curvature of the log posterior between two places whose gradients are known, at
// least a standard deviation apart: -(g - g')'(v - v') / |v - v'|^2, and twice the standard error
// of that. Pairs of which little is known for noise are left out. Infinite where there are no
// others.
double least_curvature(const Whitening& whitening, const Lessons& lessons);

// The skewness of a squared error, at least: that of the square of one normal number. Of sums of
// several alike it is less, and of errors that grow far out more.
inline const double kSkewnessOfSquares = std::sqrt(8.0);

// What is known where a surrogate is judged.
struct Judged {
  Vector squared_errors;  // at fresh draws; see squared_error
  // The mean of the same at places farther out, in tails that few draws come to.
  double squared_error_farther_out = 0;
  double curvature = NAN, least_sd = NAN;  // see Certificate
  // By how much distances of log parameters, in their standard deviations, may be larger than those
  // of the coordinates.
  double stretch = 1;
  double least_skewness = kSkewnessOfSquares;  // of the squared errors
};
Certificate certify(const Judged& judged, double level);

// The certificate's limit that `divergence_limit` makes. Infinite where there is none.
double distance_limit(double divergence_limit, double curvature, double least_sd, double stretch);

// The share of draws that counts for tails: of normal draws of three parameters an eighth is 1.4
// times as far out as most.
constexpr double kShareOfTails = 0.1;

// Of distances in u, in its standard deviations over the columns of draws, to those of psi in
// theirs: the largest.
double stretch(const Whitening& whitening, const Matrix& draws);

}  // namespace ulisse
