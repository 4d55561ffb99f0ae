#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "predict/mixture.h"
#include "predict/predictor.h"
#include "predict/saved_fit.h"

namespace ulisse {

// A part of the function, on the target's own scale.
struct ComponentDraws {
  std::string name;  // "trend", "term.1", ...
  Matrix mean, sd;   // (new points, draws)

  GaussianMixture at(Index point) const;
};

// On the target's own scale.
struct PredictiveDraws {
  Matrix mean;         // (new points, draws), of f
  Matrix latent;       // (new points, draws), sd of f
  Vector noise_sd;     // (draws), of lambda
  Vector known_noise;  // (new points), variance: what is known of each point's noise beyond
                       // lambda's; none: nothing
  Matrix samples;      // (new points, samples): f at all of them together; empty unless asked for
  std::vector<ComponentDraws> components = {};  // whose sum f is; none unless asked for

  Index points() const { return mean.rows(); }
  GaussianMixture of_target(Index point) const;
  GaussianMixture of_function(Index point) const;
};

// What to predict besides.
struct PredictedParts {
  Index samples = 0;        // of f
  bool components = false;  // of f
};

// Progress: draws finished, and points of the next. May throw to end it.
using PredictWatch = std::function<void(Index draw, Index point)>;

// Each is a column of predictions.csv, and a table with more of them is of no use to anybody.
constexpr Index kMostSamples = limits::samples;

// Throws InputError when the covariance of so many points, and what it is computed from, do not fit
// in memory with `more` doubles besides.
void check_joint_memory(const std::string& what, Index points, Index training_rows,
                        double more = 0);

// At new_x, not scaled, (m, d), with each row of psi. Samples of f are taken one draw after the
// other, again from the first when there are more samples than draws. Throws InputError for more
// samples than kMostSamples or than fit in memory.
PredictiveDraws predictive_draws(const SavedFit& fit, const ConstBlock& new_x, const Matrix& psi,
                                 Predictor& predictor, const PredictedParts& parts,
                                 std::uint64_t seed, const PredictWatch& watch = {});

// (points, 2 + levels): mean, sd and the quantiles of rising `levels`, of the target or of the
// function.
Matrix describe(const PredictiveDraws& predictions, const Vector& levels, bool latent);

}  // namespace ulisse
