#pragma once

#include <functional>

#include "sample/coordinates.h"
#include "ulisse/anchored_gradient.h"
#include "ulisse/lesson.h"

namespace ulisse {

// Gradients to survey with: exact ones, or of the whole bank with solves to a small tolerance,
// whose covariance is the bank's.
using GradientAt = std::function<GradientEstimate(const Vector& psi)>;

// The posterior around its mode.
struct Survey {
  Coordinates coordinates;  // that what follows is in
  Vector centre;            // the mode, or near it
  Matrix metric;            // inverse of the observed information there
  bool repaired = false;    // the information was not positive definite, and was made so

  // How far the gradient is from that of a Gaussian at 1.5 standard deviations, along each axis of
  // the metric and where it is most, over that distance: 0 for a Gaussian. A skewed log-gamma of
  // shape 10 has 0.25.
  double bend = 0;
  double bend_of_psi = 0;  // before coordinates were changed

  // The standard error of the bank's mean there, in posterior standard deviations. The bank is the
  // same for the whole run, so that the error does not average out: it is a bias of the draws.
  double bank_error = 0;

  // The gradient at the centre, in standard deviations: about how far the mode is.
  double mode_distance = 0;
  Vector newton;  // the step from the centre that should lead there

  long unfinished = 0;  // solves that did not converge

  // The gradients that it took, for who learns from them. Those of an anchor are less its trace,
  // which may still become better known.
  Lessons lessons;

  template <class V>
  void fields(V& v) {
    v("coordinates", coordinates);
    v("centre", centre);
    v("metric", metric);
    v("repaired", repaired);
    v("bend", bend);
    v("bend_of_psi", bend_of_psi);
    v("bank_error", bank_error);
    v("mode_distance", mode_distance);
    v("newton", newton);
    v("unfinished", unfinished);
    v("lessons", lessons);
  }
  bool fits(Index rows, Index parameters) const;
};

// What places around the anchor show: the anchor's slopes, and the inverse of the observed
// information in psi.
struct Curvature {
  std::vector<Matrix> slopes;
  Matrix metric;
  bool repaired = false;  // see Survey
  long unfinished = 0;
  Lessons lessons;  // see Survey

  template <class V>
  void fields(V& v) {
    v("slopes", slopes);
    v("metric", metric);
    v("repaired", repaired);
    v("unfinished", unfinished);
    v("lessons", lessons);
  }
  bool fits(Index rows, Index parameters) const;
};

// Keeps a gradient by the anchor, less its trace, where its solves converged.
void keep_lesson(Lessons& lessons, const Vector& psi, const GradientEstimate& estimate,
                 const Anchor& anchor);

// By central differences of half a standard deviation of `guess`. Takes 2p solves for the bank.
Curvature survey_curvature(const Model& model, const WorkingCovariance& covariance,
                           const Anchor& anchor, const Matrix& guess, const CgOptions& cg);

// A survey of psi itself, in which the curvature is known and nothing else yet.
Survey survey_from(const ConstVector& psi, const Curvature& curvature);

// Fills what is said of the gradient around the centre, at the cost of 2p + 3 to 2p + 7
// gradients.
void survey_bend(const GradientAt& gradient, Survey& survey);

// The survey in other coordinates: the mode there, the curvature and the bend, which
// is infinite where solves do not converge. Some 4p + 8 gradients.
Survey survey_in(const Coordinates& coordinates, const GradientAt& gradient, const Survey& in_psi);

// Fills `bank_error` of a survey that was made with exact gradients.
void survey_bank(const AnchoredGradient& gradient, Survey& survey);

// Exponents of coordinates that would make the posterior around psi less skewed, from 2p + 1
// gradients at half a standard deviation of the metric.
Vector exponents_by(const GradientAt& gradient, const Vector& psi, const Matrix& metric);

// The inverse of a symmetric matrix that should be positive definite. Eigenvalues below a
// thousandth of guess's own (in whose units they are judged) are raised to it, and `repaired` says
// so.
Matrix positive_inverse(const Matrix& information, const Matrix& guess, bool& repaired);

}  // namespace ulisse
