#pragma once

#include "ulisse/find_anchor.h"
#include "ulisse/second_mode.h"

namespace ulisse {

// How far from Gaussian the posterior is in psi, with the trace at the anchor known.
Survey survey_of_psi(const SetupProblem& problem, const Anchor& anchor, bool by_float,
                     const Curvature& curvature);

// The mode as a survey of psi corrects it. The search ended where its own noise did, at the anchor,
// which stays; with a better trace the gradient there is known better.
Vector corrected_mode(const SetupProblem& problem, const Mode& mode, const Anchor& anchor,
                      const Survey& of_psi);

// The survey in coordinates in which the posterior is nearest to a Gaussian, and another mode in
// these.
struct PosteriorShape {
  Survey survey;
  OtherMode other;
  bool fits(Index rows, Index parameters) const;

  template <class V>
  void fields(V& v) {
    v("survey", survey);
    v("other", other);
  }
};
PosteriorShape choose_coordinates(const SetupProblem& problem, const Anchor& anchor,
                                  const ModeOfAll& mode, const Survey& of_psi);

}  // namespace ulisse
