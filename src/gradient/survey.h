#pragma once

#include "gradient/anchored_gradient.h"

namespace ulisse {

// The posterior around the anchor, seen by gradients with common probes and tight solves.
struct Survey {
  Matrix metric;          // inverse of the observed information at the anchor
  bool repaired = false;  // the information was not positive definite, and was made so

  // How far the gradient is from that of a Gaussian at 1.5 standard deviations along each axis of
  // the metric, over that distance: 0 for a Gaussian. A skewed log-gamma of shape 10 has 0.25.
  double bend = 0;

  // What the bank's mean is off there, in standard deviations, by its own spread. The bank is the
  // same for the whole run, so that it does not average out.
  double bank_error = 0;

  // The gradient at the anchor, in standard deviations: about how far the mode is.
  double off_mode = 0;

  long unfinished = 0;  // solves that did not converge
};

// Fills the anchor's slopes and returns the inverse of the observed information, by central
// differences of half a standard deviation of `guess`. Takes 2p solves for the bank.
Survey survey_curvature(const Model& model, const Covariance& covariance, Anchor& anchor,
                        const Matrix& guess, const CgOptions& cg);

// Fills `bend` and `bank_error`, at the cost of 2p gradients.
void survey_bend(const AnchoredGradient& gradient, Survey& survey);

// The inverse of a symmetric matrix that should be positive definite. Eigenvalues below a
// thousandth of guess's own (in whose units they are judged) are raised to it, and `repaired` says
// so.
Matrix positive_inverse(const Matrix& information, const Matrix& guess, bool& repaired);

}  // namespace ulisse
