#pragma once

#include "kernel/cross.h"
#include "predict/component.h"
#include "solve/trend_given_data.h"
#include "ulisse/model.h"

namespace ulisse {

// What predictors have in common: the function at new points, before and after the data are known
// by K^-1 [y, H], where K is the covariance of the data without the trend and H the trend's basis.
class PredictedFunction {
 public:
  // x: (n, d), y: (n); both must outlive this.
  PredictedFunction(const Model& model, const Matrix& x, const Vector& y);

  const Model& model() const { return model_; }               // without its trend
  const Matrix& right_sides() const { return right_sides_; }  // [y, H], (n, 1 + coefficients)

  // weights: K^-1 right_sides().
  void condition(const ConstVector& psi, const Matrix& weights);

  const Matrix& weights() const { return weights_; }
  const TrendGivenData& trend() const { return trend_; }

  // The covariance of the data with a part of the function at new points, (n, m).
  Matrix cross(const ConstBlock& new_x, const Component& part) const;

  // The mean at the points that `cross` is of, and in `spread` what adds |spread column|^2 to the
  // variance: the coefficients' own, (coefficients, m).
  Vector mean(const ConstBlock& new_x, const Component& part, const Matrix& cross,
              Matrix& spread) const;

  double variance(const Component& part) const;  // before the data are known, without the trend
  Matrix covariance(const ConstBlock& new_x, const Component& part) const;  // the same

 private:
  Mean mean_;
  Model model_;
  CrossCovariance cross_;
  Matrix right_sides_;
  Vector psi_;
  Matrix weights_;
  TrendGivenData trend_;
};

}  // namespace ulisse
