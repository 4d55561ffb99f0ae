#pragma once

#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// A gradient of the log posterior that a surrogate learns from.
struct Lesson {
  Vector psi;
  Vector gradient;      // there
  Matrix noise;         // covariance of the gradient's error; zero where it is exact
  long unfinished = 0;  // solves for it that did not converge

  bool is_finite() const { return psi.allFinite() && gradient.allFinite() && noise.allFinite(); }
  bool fits(Index parameters) const {
    return psi.size() == parameters && gradient.size() == parameters &&
           noise.rows() == parameters && noise.cols() == parameters;
  }

  template <class V>
  void fields(V& v) {
    v("psi", psi);
    v("gradient", gradient);
    v("noise", noise);
    v("unfinished", unfinished);
  }
};
using Lessons = std::vector<Lesson>;

}  // namespace ulisse
