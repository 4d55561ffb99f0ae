#pragma once

#include <functional>

#include "ulisse/anchor.h"
#include "ulisse/exact.h"

namespace ulisse {

struct FullModeOptions {
  PreconditionerOptions preconditioner = {.rank = 300};
  int probes = 32;
  std::uint64_t seed = 1;
  int most_gradients = 60;
  // It ends with a step that is shorter, whose end is not looked at.
  double last_step_in_sd = 0.3;
};

// The mode of the log posterior of all the data by stochastic gradients: probes are common to
// successive points, so that differences of gradients show the curvature, and steps are those of
// BFGS. Starts from `start`, a subset's mode, and `guess`, the covariance expected of the full
// data. The probes' own noise leaves the point a few tenths of a standard deviation away from the
// mode, which is near enough for an anchor. A covariance in lower precision, where there is one,
// does all of the work.
// `evaluated` is called after each gradient with the length of the last step.
Mode find_full_mode(const Model& model, const WorkingCovariance& covariance, const ConstVector& y,
                    const Vector& start, const Matrix& guess, const FullModeOptions& options,
                    const std::function<void(int, double)>& evaluated = {});

}  // namespace ulisse
