#pragma once

#include "ulisse/types.h"

namespace ulisse {

struct MeanEstimate {
  Vector value;
  Matrix covariance;  // of its error
  Matrix slopes;      // of the regression, (controls, parameters); empty without one
};

// The mean of the columns of `samples`, (parameters, count), given what the columns of `controls`,
// (controls, count), are on average: by regression, so that controls that say nothing do no harm.
// There must be more columns than controls, by two.
MeanEstimate regressed_mean(const Matrix& samples, const Matrix& controls,
                            const Vector& expectation);

// 1/2 tr(K^-1 dK_j) as probes z ~ N(0, P) see it, one column for each: z'K^-1 dK P^-1 z / 2. As
// controls z'P^-1 dK P^-1 z / 2, whose expectation 1/2 tr(P^-1 dK_j) can be computed: they
// take away nearly all of the variance where P is nearly K.
struct TraceSamples {
  Matrix traces;
  Matrix controls;     // empty where they are not used
  Vector expectation;  // of the controls

  template <class V>
  void fields(V& v) {
    v("traces", traces);
    v("controls", controls);
    v("expectation", expectation);
  }

  void add(const Matrix& more_traces, const Matrix& more_controls);
  MeanEstimate mean() const;
};

}  // namespace ulisse
