#pragma once

#include <functional>

#include "predict/mixture.h"
#include "predict/predictor.h"
#include "predict/saved_fit.h"

namespace ulisse {

// On the target's own scale.
struct Predictions {
  Matrix mean;      // (new points, draws), of f
  Matrix latent;    // (new points, draws), sd of f
  Vector noise_sd;  // (draws)
  Matrix samples;   // (new points, samples): f at all of them together; empty unless asked for

  Index points() const { return mean.rows(); }
  GaussianMixture of_target(Index point) const;
  GaussianMixture of_function(Index point) const;
};

// What is done, for who waits: draws finished, and points of the next. May throw to end it.
using PredictWatch = std::function<void(Index draw, Index point)>;

// At new_x, not scaled, (m, d), with each row of psi. `samples` of f are taken one draw after the
// other, again from the first when there are more samples than draws.
Predictions predict(const SavedFit& fit, const ConstBlock& new_x, const Matrix& psi,
                    Predictor& predictor, Index samples, std::uint64_t seed,
                    const PredictWatch& watch = {});

// (points, 2 + levels): mean, sd and the quantiles of rising `levels`, of the target or of the
// function.
Matrix describe(const Predictions& predictions, const Vector& levels, bool latent);

}  // namespace ulisse
