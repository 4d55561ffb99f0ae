#pragma once

#include "ulisse/types.h"

namespace ulisse {

// The Gaussian process that a surrogate takes the deviation h of a log density from a Gaussian's
// for: a function of each coordinate alone, as skewed marginals make it, and one of all of them
// together. Both have rbf kernels, so that far away from where gradients are known h is flat and
// the density Gaussian again. A variance is that of each component of h's gradient:
//
//   cov(h(v), h(v')) = a l^2 sum_j exp(-d_j^2 / 2 l^2) + b m^2 exp(-|d|^2 / 2 m^2),   d = v - v'
struct SurrogateKernel {
  double separate_variance = 0.5, separate_length = 3;  // a, l
  double joint_variance = 0.5, joint_length = 6;        // b, m
  double nugget = 1e-6;  // variance of what gradients have that h does not

  // Covariances of h's gradients at places (parameters, count): (parameters count, the same), with
  // those at a place beside each other. Without the nugget.
  Matrix gradient_covariances(const Matrix& places) const;

  // sum_i cov(h(v), grad h(v_i)) weights_i, and its gradient in v, which overwrites `gradient`.
  // places, weights: (parameters, count)
  double value_and_gradient(const Vector& v, const Matrix& places, const Matrix& weights,
                            Vector& gradient) const;

  template <class V>
  void fields(V& v) {
    v("separate_variance", separate_variance);
    v("separate_length", separate_length);
    v("joint_variance", joint_variance);
    v("joint_length", joint_length);
    v("nugget", nugget);
  }
};

}  // namespace ulisse
