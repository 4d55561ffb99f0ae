#pragma once

#include <memory>

#include "predict/iterative_predictor.h"
#include "solve/nearest_rows.h"

namespace ulisse {

// Means as by conjugate gradients; a variance given the rows nearest to its point alone, which is
// never below the one given all rows. Each point takes more and more of them until the last half
// changes little, and a solve where they never do. How far above the truth that is, is measured at
// some of the points by solves, for each psi; where it is too far, all variances take solves. So do
// those of single terms: a sum of terms may be known from near by, and how it splits not.
class NeighbourPredictor : public IterativePredictor {
 public:
  NeighbourPredictor(const Model& model, const Matrix& x, const Vector& y,
                     const PredictorOptions& options);

  void condition(const ConstVector& psi) override;
  using Predictor::moments;
  Moments moments(const ConstBlock& new_x, const Component& part) const override;
  double variance_error() const override;
  std::string name() const override;

 private:
  // Of the function at new points but for the trend's; NaN where the nearest rows do not do.
  Vector nearest_variances(const ConstBlock& new_x, const Matrix& cross) const;
  // What a variance may be off by.
  double allowed(double variance) const;
  bool is_good_at(const ConstBlock& points);

  Matrix points_;  // where variances are compared
  Index checked_ = 0;
  std::unique_ptr<const NearestRows> rows_;
  long psi_ = 0, solved_psi_ = 0;  // how many, and for how many of them variances take solves
  bool solves_ = false;            // now
  double error_ = 0;               // the largest seen, as a fraction of the noise's variance
};

}  // namespace ulisse
