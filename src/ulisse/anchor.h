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

// 1/2 tr(K^-1 dK_j) at the anchor, from Cholesky or as an average over probes.
struct AnchorTrace {
  Vector value;
  Matrix covariance;     // of its error
  bool exact = false;    // from Cholesky
  long probes = 0;       // that it comes from, unless it is exact
  long blocks = 0;       // of fresh probes that were drawn for it
  long unfinished = 0;   // solves for them that did not converge
  TraceSamples samples;  // by which it may still be refined
  // What its controls, where they are used, have to do with it, and what they are on average.
  Matrix slopes;
  Vector expected_controls;

  bool by_controls() const { return samples.controls.cols() > 0; }
  bool fits(Index rows, Index parameters) const;

  template <class V>
  void fields(V& v) {
    v("value", value);
    v("covariance", covariance);
    v("exact", exact);
    v("probes", probes);
    v("blocks", blocks);
    v("unfinished", unfinished);
    v("samples", samples);
    v("slopes", slopes);
    v("expected_controls", expected_controls);
  }
};

// As the bank's probes have it, (parameters, bank).
AnchorTrace trace_of(const Matrix& probe_traces);

// What estimates of the gradient near psi* start from: a preconditioner, and a bank of probes
// z ~ N(0, P) with the solutions K^-1 y and K^-1 z at psi*. Immutable, shared by chains.
struct Anchor {
  Vector psi;
  std::shared_ptr<const Preconditioner> preconditioner;
  // Of the preconditioner, which is not saved: it is the same when made again.
  long rank = 0, neighbours = 0;

  Matrix right_sides;    // (n, 1 + bank): y, then the probes
  Matrix probe_weights;  // (n, bank): P^-1 z
  Matrix solutions;      // (n, 1 + bank): K^-1 of the right sides, at psi
  // Derivatives of the solutions by each parameter, (n, 1 + bank): solves elsewhere start from the
  // solutions moved along them. May be empty.
  std::vector<Matrix> slopes;

  Matrix probe_traces;  // 1/2 tr(K^-1 dK_j) at psi by each probe, (parameters, bank)
  AnchorTrace trace;    // as it is known best
  long unfinished = 0;  // solves of the above that did not converge
  int iterations = 0;   // that they took

  // Of what find_anchor finds; slopes and trace are found and saved by themselves.
  template <class V>
  void fields(V& v) {
    v("psi", psi);
    v("rank", rank);
    v("neighbours", neighbours);
    v("right_sides", right_sides);
    v("probe_weights", probe_weights);
    v("solutions", solutions);
    v("probe_traces", probe_traces);
    v("unfinished", unfinished);
    v("iterations", iterations);
  }
  bool fits(Index rows, Index parameters) const;

  Index bank() const { return probe_weights.cols(); }
  // Starting points for the chosen columns of right_sides at another psi.
  Matrix starting_points(const ConstVector& at, const Indices& columns) const;
};

struct AnchorOptions {
  int bank = 32;
  std::uint64_t seed = 1;
  CgOptions cg;  // to a small tolerance: errors of the anchor's solutions are not averaged out
};

// Draws the bank and solves for it at psi; slopes and a better trace than the bank's mean are left
// to others.
Anchor make_anchor(const WorkingCovariance& covariance, const ConstVector& y,
                   const ConstVector& psi, std::shared_ptr<const Preconditioner> preconditioner,
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

// Adds what `count` fresh probes say to the trace at the anchor.
void refine_trace(const WorkingCovariance& covariance, const Anchor& anchor, AnchorTrace& trace,
                  int count, Rng& rng, const CgOptions& cg);

// The controls of the bank's probes; and the covariance of the trace's error that their
// expectation, if it were known, would leave on average.
Matrix bank_controls(const CovarianceOperator& k, const Anchor& anchor);
Matrix error_with_controls(const Anchor& anchor, const Matrix& controls);

// Makes use of the controls, from now on.
void use_controls(AnchorTrace& trace, const Matrix& of_the_bank, const Vector& expectation);

}  // namespace ulisse
