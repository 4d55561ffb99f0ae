#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ulisse/fit.h"

// Predictions that average over the posterior: each draw of the parameters gives one Gaussian at
// each point, and a prediction is their mixture.
namespace ulisse {

struct PredictOptions {
  Index draws = 100;  // to use, spread over all chains
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  bool latent = false;      // of the function, without the noise
  Index samples = 0;        // of the function, at all points together
  bool components = false;  // the trend and each term of the kernel, too

  // exact: Cholesky; float: a factor in float, checked; iterative: conjugate gradients; neighbours:
  // the same for means, and variances by the nearest rows, checked; or auto.
  std::string method = "auto";
  std::size_t memory = 0;  // bytes that may be used; 0: half of the machine's
  long rank = 1000;        // of the preconditioner of iterative, at most
  std::uint64_t seed = 1;  // of samples, and of pivots

  // Called with the draws finished and the points of the next one; may throw to end it.
  std::function<void(Index draw, Index point)> progress = {};
};

// A part of the function: the trend, or a term of the kernel. The sum of their means is the
// function's. Without a trend, "trend" is the target's mean in the fit, as far as it was taken off.
struct PredictedComponent {
  std::string name;  // "trend", "term.1", ...
  Vector mean, sd;   // an element for each point
};

// In the target's own units; an element, or a row, for each point.
struct Predictions {
  Vector mean, sd;
  Matrix quantiles;  // (points, quantiles), in the order that they were asked for
  Matrix samples;    // (points, samples)
  std::vector<PredictedComponent> components;  // where they were asked for

  std::string method;  // that was used
  // Of variances, as a fraction of the noise's variance: at most, or the largest that was seen.
  double variance_error = 0;
};

// At the rows of x, (points, inputs of the fit), not scaled. Throws InputError.
Predictions predict(const Fit& fit, const ConstBlock& x, const PredictOptions& options = {});

// The covariance of the predictions at all rows of x together, within draws and between them.
// Quantiles and samples of the options are not used.
Matrix predictive_covariance(const Fit& fit, const ConstBlock& x,
                             const PredictOptions& options = {});

}  // namespace ulisse
