#pragma once

#include "ulisse/find_anchor.h"
#include "ulisse/second_mode.h"

namespace ulisse {

// Where a survey's gradients come from: exact ones where the mode is (and `anchor` is not looked
// at), else those of the anchor's whole bank, with its trace known.
struct SurveySource {
  const SetupProblem& problem;
  Vector psi;  // the mode, or near it
  const Anchor* anchor = nullptr;
  bool by_float = false;
};

// How far from Gaussian the posterior is in psi.
Survey survey_of_psi(const SurveySource& source, const Curvature& curvature);

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
PosteriorShape choose_coordinates(const SurveySource& source, const Mode& mode,
                                  const Survey& of_psi);

}  // namespace ulisse
