#pragma once

#include <memory>
#include <string>

#include "predict/component.h"
#include "solve/trend_given_data.h"
#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// Of the function f at some points, given the data and one psi; no noise.
struct Moments {
  Vector mean, variance;
};

// Predictions given one draw of the parameters after another.
class Predictor {
 public:
  virtual ~Predictor() = default;

  // Makes ready for this psi. Throws InputError when its K is not positive definite in floating
  // point.
  virtual void condition(const ConstVector& psi) = 0;

  // At new points, (m, d), given the psi of the last condition(). Memory grows with m n: callers
  // take `batch` points at a time.
  virtual Moments moments(const ConstBlock& new_x, const Component& part) const = 0;
  Moments moments(const ConstBlock& new_x) const { return moments(new_x, everything()); }

  // The covariance of f at all of them together, (m, m).
  virtual Matrix covariance(const ConstBlock& new_x) const = 0;

  // The coefficients of the trend, for the psi of the last condition().
  virtual const TrendGivenData& trend() const = 0;
  virtual Component everything() const = 0;

  // Points that one call should get.
  virtual Index batch() const = 0;

  // A bound on the error of variances, as a fraction of the noise's variance: too large at most by
  // that (iterative), or either way, estimated from some points (float).
  virtual double variance_error() const = 0;

  virtual std::string name() const = 0;
};

struct PredictorOptions {
  std::string method = "auto";  // as in ulisse/predict.h
  std::size_t memory = 0;       // that may be used; 0: half of the machine's
  long rank = 1000;             // of the preconditioner of iterative, at most
  std::uint64_t seed = 1;       // of its pivots
  // Some of the points to predict at, scaled: float is checked there. None: at training points.
  Matrix points;
  bool latent = false;  // the function's own variances matter, far below the noise's as they may be
};

// Rows for PredictorOptions::points: a few, spread evenly over x.
Matrix some_rows(const ConstBlock& x);

// x: (n, d) and y: (n), scaled; both must outlive the predictor. Throws InputError for a method
// that there is not, or that does not fit in memory.
std::unique_ptr<Predictor> make_predictor(const Model& model, const Matrix& x, const Vector& y,
                                          const PredictorOptions& options);

}  // namespace ulisse
