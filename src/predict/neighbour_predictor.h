#pragma once

#include <memory>

#include "predict/iterative_predictor.h"
#include "solve/nearest_rows.h"

namespace ulisse {

// Means as by conjugate gradients; a variance given the rows nearest to its point alone, which is
// never below the one given all rows. How far above is measured for each psi at some of the points,
// by solves: with more and more rows until it is little enough, and where it never is, variances
// take solves.
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
  // Of the function at new points, given the nearest rows.
  Vector nearest_variances(const ConstBlock& new_x, const Component& part, const Matrix& cross,
                           Index count) const;
  // The largest excess at some of the points, in units of what it may be.
  double excess(const ConstBlock& points, const Vector& truth, Index count);
  void choose_count();
  void check_again();

  Matrix points_;  // where variances are compared
  Index checked_ = 0;
  std::unique_ptr<const NearestRows> rows_;
  Index count_ = 0;      // of nearest rows; 0: solves
  bool solves_ = false;  // for good
  double error_ = 0;     // as a fraction of the noise's variance
};

}  // namespace ulisse
