#pragma once

#include <memory>

#include "posterior/trend_source.h"

namespace ulisse {

// How a trend's coefficients given the data change with psi, as polynomials of degree 2, or of
// degree 1 with many parameters: they are smooth, and a solve for each draw would take longer than
// all the rest.
struct TrendPolynomials {
  Vector centre;      // of psi,
  Matrix factor;      // and of its covariance, by which psi is whitened
  double radius = 0;  // of the farthest place; beyond it nothing is known
  Index degree = 0;
  Matrix coefficients;  // (terms, values)
  double error = 0;     // at places they were not fitted to, in the coefficients' sd

  bool is_there() const { return coefficients.size() > 0; }
  bool fits(Index rows, Index parameters) const;
  template <class A>
  void archive(A& a) {
    a(centre, factor, radius, degree, coefficients, error);
  }
};

// So many places do, and more are not needed.
Index places_for_trend(Index parameters);

// By solves where psi is likely to be, (parameters, count), the last of them moved farther out.
// Nothing where they miss what is known at some of the places that they are not fitted to.
TrendPolynomials learn_trend(const TrendSource& exact, const Mean& mean, const Matrix& likely);

// What was learnt where that goes, else `exact`.
std::unique_ptr<TrendSource> learnt_trend(std::unique_ptr<const TrendSource> exact,
                                          const Mean& mean, TrendPolynomials learnt);

}  // namespace ulisse
