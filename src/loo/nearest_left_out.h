#pragma once

#include "loo/left_out.h"
#include "predict/iterative_predictor.h"
#include "ulisse/random.h"

namespace ulisse {

// From the diagonal of the inverse of the covariance without the trend, and from what is known of
// the function.
LeftOut left_out_by(const Vector& y, const Vector& inverse_diagonal, const PredictedFunction& f);

// Without matrices: K^-1 y by conjugate gradients, and 1 / [K^-1]_ii, the variance of y_i given all
// other rows, given its nearest rows alone. That is never below the truth. Each row takes more of
// them until the last half changes little. At a few rows for each psi the diagonal is solved for,
// which says how far log p(y_i | y_-i, psi) is off.
class NearestLeftOut : public LeftOutRows, private IterativePredictor {
 public:
  NearestLeftOut(const SavedFit& fit, const LooOptions& options);

  LeftOut given(const Vector& psi) override;
  std::string name() const override { return "neighbours"; }
  double elpd_error() const override;

 private:
  Vector nearest_variances() const;
  // [C^-1]_ii of some rows, by solves.
  Vector solved_diagonal(const Indices& rows) const;
  void compare(const LeftOut& found, const Vector& inverse_diagonal);

  const Vector& y_;
  std::uint64_t seed_;
  long psi_ = 0;
  std::vector<double> errors_;  // of log densities at rows that were solved for
};

}  // namespace ulisse
