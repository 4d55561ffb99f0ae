#pragma once

#include "ulisse/exact.h"
#include "ulisse/setup_problem.h"

namespace ulisse {

// A mode, and what is expected of the posterior's covariance there.
struct ModeFound {
  Mode mode = {};
  Matrix guess;
  bool fits(Index rows, Index parameters) const;

  template <class V>
  void fields(V& v) {
    v("psi", mode.psi);
    v("log_density", mode.log_density);
    v("gradient", mode.gradient);
    v("covariance", mode.covariance);
    v("evaluations", mode.evaluations);
    v("converged", mode.converged);
    v("message", mode.message);
    v("other_psi", mode.other_psi);
    v("other_share", mode.other_share);
    v("second_share", mode.second_share);
    v("guess", guess);
  }
};

// The exact mode: of all rows where that takes less than a minute, else of a subset.
struct FirstMode {
  ModeFound found;
  long searched_rows = 0;  // of the subset, where it was one
  std::string backend;     // of products, which auto chooses there; kept from then on
  bool fits(Index rows, Index parameters) const { return found.fits(rows, parameters); }

  template <class V>
  void fields(V& v) {
    v("found", found);
    v("searched_rows", searched_rows);
    v("backend", backend);
  }
};
FirstMode find_first_mode(const SetupProblem& problem);

// The mode of all rows, or near it: where the anchor will be.
struct ModeOfAll {
  ModeFound found;
  bool by_float = false;  // the solves of the set-up
  bool fits(Index rows, Index parameters) const { return found.fits(rows, parameters); }

  template <class V>
  void fields(V& v) {
    v("found", found);
    v("by_float", by_float);
  }
};
ModeOfAll find_mode_of_all(const SetupProblem& problem, const FirstMode& first);

}  // namespace ulisse
