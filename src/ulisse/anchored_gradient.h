#pragma once

#include "ulisse/anchor.h"
#include "ulisse/stochastic_gradient.h"

namespace ulisse {

struct AnchoredGradientOptions {
  int probes = 4;  // for each estimate
  // Probes are drawn anew for each estimate and solved for at the anchor, too, which takes more
  // products and leaves no error that stays; else they are those of the bank.
  bool fresh = false;
  bool fast_at_anchor = true;  // more_traces() may use the covariance in lower precision
  CgOptions cg_at_anchor = {.tolerance = 1e-4, .verify = false};  // of fresh probes
  double q = 0.1;                              // ULISSE begins to cut at |r| < q |y|
  std::shared_ptr<const TruncationRule> rule;  // null: solves to the tolerance
  CgOptions cg = {.tolerance = 1e-8, .verify = false};
  // Where there is a covariance in lower precision, it makes the products of solves and the forms.
  // With care the precise one makes the forms, and verifies every solve.
  bool careful = false;
};

// Where the noise of an estimate comes from; the covariance of an estimate is the sum of the first
// two.
struct NoiseParts {
  Matrix cutting;       // truncated solves
  Matrix probes;        // few probes of the bank, less what the anchor takes away
  Matrix probes_alone;  // the same without the anchor
};

struct AnchoredEstimate : GradientEstimate {
  NoiseParts parts;
  Matrix fresh_traces;  // fresh probes' estimates of the trace at the anchor, where asked for
};

// Counts what other solves took as part of these.
void add_solves(SolveSummary& these, const SolveSummary& others);

// Estimates of the gradient of the log posterior with the anchor as control variate: the trace is
// its estimate at psi*, plus the difference between psi and psi* by a few probes of the bank.
// Near psi* the probes' noise cancels, and solves start from the anchor's solutions.
// The expectation over truncation is exact for the bank; the bank's own error is that of the
// trace at psi*, and of differences averaged over the whole bank. Fresh probes leave only the
// first.
class AnchoredGradient {
 public:
  // All must outlive this. Stateless: one object may serve several chains.
  AnchoredGradient(const Model& model, const WorkingCovariance& covariance, const Anchor& anchor,
                   AnchoredGradientOptions options);

  // With a few probes, of the bank or fresh.
  GradientEstimate estimate(const ConstVector& psi, Rng& rng) const;
  AnchoredEstimate estimate_in_parts(const ConstVector& psi, Rng& rng,
                                     bool with_traces = false) const;

  // With every probe of the bank and solves to the tolerance.
  GradientEstimate with_whole_bank(const ConstVector& psi) const;

  // The same, and the solutions reached.
  GradientEstimate with_whole_bank(const ConstVector& psi, Matrix& solutions) const;

  // What more fresh probes say of the trace at the anchor.
  FreshTraces more_traces(int count, Rng& rng) const;

  const AnchoredGradientOptions& options() const { return options_; }
  const Anchor& anchor() const { return anchor_; }

 private:
  const CovarianceOperator& of_forms(const WorkingOperator& k) const;

  // Probes for one estimate, with what is known of them at the anchor.
  struct Probes {
    Matrix right_sides;  // (n, 1 + count): y, then the probes
    Matrix starts;       // of the solves, the same shape
    Matrix weights;      // (n, count): P^-1 z
    Matrix traces;       // (parameters, count): at the anchor
    // Drawn without repetition, few of a bank spread around its mean by so much less.
    double spread = 1;
    Matrix fresh_traces;  // the same of fresh ones, where it is asked for, less what controls see
    SolveSummary solves;  // at the anchor, of fresh ones
  };
  Probes of_the_bank(const ConstVector& psi, const Indices& chosen) const;
  Probes fresh_ones(const ConstVector& psi, Rng& rng, bool with_traces) const;

  // Two estimates of the solutions for y and the probes, made of independent draws; or the same
  // twice, when nothing was cut.
  using SolutionPair = std::pair<Matrix, Matrix>;

  // The mean over pairs. Their differences show the noise of cutting solves: all columns are cut
  // by the same draws, so that the spread across probes does not.
  AnchoredEstimate gradient_from(const WorkingOperator& k, const ConstVector& psi,
                                 const std::vector<SolutionPair>& pairs,
                                 const Probes& probes) const;

  const Model& model_;
  WorkingCovariance covariance_;
  const Anchor& anchor_;
  AnchoredGradientOptions options_;
  WorkingOperator at_anchor_;  // for fresh probes
};

}  // namespace ulisse
