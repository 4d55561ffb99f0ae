#pragma once

#include <memory>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/preconditioner.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"
#include "ulisse/trace_samples.h"
#include "ulisse/types.h"
#include "ulisse/working_covariance.h"

namespace ulisse {

// What estimates of the gradient near psi* start from: a preconditioner, and a bank of probes
// z ~ N(0, P) with the solutions K^-1 y and K^-1 z at psi*. Immutable, shared by chains.
struct Anchor {
  Vector psi;
  std::shared_ptr<const LowRankPreconditioner> preconditioner;

  Matrix right_sides;    // (n, 1 + bank): y, then the probes
  Matrix probe_weights;  // (n, bank): P^-1 z
  Matrix solutions;      // (n, 1 + bank): K^-1 of the right sides, at psi
  // Derivatives of the solutions by each parameter, (n, 1 + bank): solves elsewhere start from the
  // solutions moved along them. May be empty.
  std::vector<Matrix> slopes;

  // 1/2 tr(K^-1 dK_j) at psi: by each probe, (parameters, bank); and the value believed, from
  // Cholesky or from many probes, with the covariance of its error.
  Matrix probe_traces;
  Vector trace;
  Matrix trace_covariance;
  bool exact_trace = false;
  long unfinished = 0;         // solves of the above that did not converge
  int iterations = 0;          // that they took
  long trace_probes = 0;       // that the value believed comes from, unless it is exact
  TraceSamples trace_samples;  // by which it may still be refined
  // What its controls, where they are used, have to do with it, and what they are on average.
  Matrix trace_slopes;
  Vector expected_controls;

  Index bank() const { return probe_weights.cols(); }
  // Starting points for the chosen columns of right_sides at another psi.
  Matrix starting_points(const ConstVector& at, const Indices& columns) const;
};

struct AnchorOptions {
  int bank = 32;
  std::uint64_t seed = 1;
  CgOptions cg;  // tight: errors of the anchor's solutions are not averaged out
};

// Draws the bank and solves for it at psi; slopes and the trace believed are left to others: the
// trace is the bank's mean.
Anchor make_anchor(const WorkingCovariance& covariance, const ConstVector& y,
                   const ConstVector& psi,
                   std::shared_ptr<const LowRankPreconditioner> preconditioner,
                   const AnchorOptions& options);

// 1/2 the trace's forms by each probe, (parameters, probes).
Matrix trace_forms(const CovarianceOperator& k, const ConstBlock& solutions,
                   const ConstBlock& weights);

// 1/2 tr(K^-1 dK_j) at the anchor as fresh probes see it, (parameters, probes).
struct FreshTraces {
  Matrix by_probe;
  // The same less what their controls, where they are used, say that chance has put in; without
  // probes whose solves did not come to an end.
  Matrix values;
  SolveSummary solves;
};

// From solutions and weights of the probes.
FreshTraces fresh_traces(const Anchor& anchor, const CovarianceOperator& k,
                         const ConstBlock& solutions, const ConstBlock& weights,
                         SolveSummary solves);

// Of probes that are drawn and solved for.
FreshTraces fresh_traces(const WorkingCovariance& covariance, const Anchor& anchor, int count,
                         Rng& rng, const CgOptions& cg);

// Adds the traces of `count` fresh probes to the value believed.
void refine_trace(const WorkingCovariance& covariance, Anchor& anchor, int count, Rng& rng,
                  const CgOptions& cg);

// The controls of the bank's probes; and the covariance of the trace's error that their
// expectation, if it were known, would leave on average.
Matrix bank_controls(const CovarianceOperator& k, const Anchor& anchor);
Matrix error_with_controls(const Anchor& anchor, const Matrix& controls);

// Makes use of the controls, from now on.
void use_controls(Anchor& anchor, const Matrix& of_the_bank, const Vector& expectation);

}  // namespace ulisse
